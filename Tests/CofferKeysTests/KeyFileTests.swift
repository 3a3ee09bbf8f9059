import CofferCoding
import CofferSystem
import Foundation
import Testing

@testable import CofferKeys

@Suite struct KeyFileTests {
  private static let secret = (0..<32).map { UInt8(7 * $0) }
  private static let digits = Array(Hexadecimal.encode(secret).utf8)
  private static let capitals = Array(Hexadecimal.encode(secret).uppercased().utf8)

  @Test(arguments: [secret, digits, capitals, digits + [10]])
  func theFormsThatAreTaken(content: [UInt8]) async throws {
    #expect(array(try keyFile(content).secret) == Self.secret)
    try await withFolder { folder in
      try write(content, to: "\(folder)/key")
      let file = try KeyFile(path: "\(folder)/key")
      #expect(array(file.secret) == Self.secret)
      let isReadable = file.isReadableByOthers
      #expect(!isReadable)
    }
  }

  @Test(arguments: [
    [], [1], [UInt8](repeating: 1, count: 31), [UInt8](repeating: 1, count: 33),
    [UInt8](repeating: 1, count: 48), [UInt8](repeating: 1, count: 64), digits + [13, 10],
    digits + [32], [32] + digits, Array(digits.dropLast()) + [UInt8(ascii: "g")],
    digits + [10, 10], Array("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n".utf8),
    [UInt8](repeating: 1, count: 5_000), secret + [10],
  ])
  func anythingElseIsRefusedWithItsLength(content: [UInt8]) async throws {
    try await withFolder { folder in
      try write(content, to: "\(folder)/key")
      let error = failure { () throws(KeyError) in _ = try KeyFile(path: "\(folder)/key") }
      #expect(error == .keyFileLength(content.count))
    }
  }

  @Test func endlessInputIsNotRead() async throws {
    let zeros = failure { () throws(KeyError) in _ = try KeyFile(path: "/dev/zero") }
    #expect(zeros == .keyFileLength(66))
    try await withFolder { folder in
      let path = "\(folder)/huge"
      try write([], to: path)
      #expect(unsafe truncate(path, 4 << 30) == 0)
      let error = failure { () throws(KeyError) in _ = try KeyFile(path: path) }
      #expect(error == .keyFileLength(4 << 30))
    }
  }

  @Test func foldersAndMissingFilesAreSystemErrors() async throws {
    try await withFolder { folder in
      for path in [folder, "\(folder)/none"] {
        let error = failure { () throws(KeyError) in _ = try KeyFile(path: path) }
        guard case .system = error else {
          Issue.record("\(String(describing: error))")
          continue
        }
      }
    }
  }

  @Test func aFileThatOthersMayReadIsReported() async throws {
    try await withFolder { folder in
      let path = "\(folder)/key"
      try write(Self.secret, to: path)
      for (mode, open) in [(0o600, false), (0o640, true), (0o604, true)] as [(UInt32, Bool)] {
        #expect(unsafe chmod(path, mode) == 0)
        let isReadable = try KeyFile(path: path).isReadableByOthers
        #expect(isReadable == open)
      }
    }
  }
}
