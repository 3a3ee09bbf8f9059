import CofferCrypto
import Foundation
import Testing

/// Bytes of hex digits; a test's own literals, so anything else is a mistake in the test.
func hex(_ text: String) -> [UInt8] {
  let digits = text.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map {
    UInt8(digits[$0] << 4 | digits[$0 + 1])
  }
}

func array(_ bytes: borrowing GuardedBytes) -> [UInt8] {
  bytes.withBytes { bytes in (0..<bytes.byteCount).map { bytes[$0] } }
}

func guarded(_ bytes: [UInt8]) throws(CryptoError) -> GuardedBytes {
  try GuardedBytes(copying: unsafe bytes.span.bytes)
}

/// One test of a Wycheproof file, with the numbers of its group.
struct WycheproofCase {
  let group: [String: Any]
  let test: [String: Any]

  var id: Int { test["tcId"] as? Int ?? 0 }
  var isValid: Bool { test["result"] as? String == "valid" }
  func bytes(_ name: String) -> [UInt8] { hex(test[name] as? String ?? "") }

  /// The tests of a file beside the project, or none where it is not there.
  static func all(_ file: String) throws -> [WycheproofCase] {
    let url = URL(fileURLWithPath: #filePath)
      .appending(path: "../../../../shared/vectors/wycheproof/\(file).json").standardized
    guard let data = try? Data(contentsOf: url) else { return [] }
    let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let groups = try #require(root["testGroups"] as? [[String: Any]])
    return groups.flatMap { group in
      (group["tests"] as? [[String: Any]] ?? []).map { WycheproofCase(group: group, test: $0) }
    }
  }
}
