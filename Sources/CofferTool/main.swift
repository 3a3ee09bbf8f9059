import CofferCommands
import CofferSystem

ThisProcess.forbidCoreDumps()
ThisProcess.keepFilesPrivate()
ThisProcess.end(with: await CommandLineTool.run(ThisProcess.arguments))
