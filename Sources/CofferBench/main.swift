import CofferSystem

ThisProcess.keepFilesPrivate()
ThisProcess.end(with: await Bench.run(ThisProcess.arguments))
