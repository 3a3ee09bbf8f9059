import Foundation
import Testing

@testable import CofferKeys

@Suite struct LabelTests {
  @Test func noneIsTheBeginningOfAnother() {
    for first in Label.allCases {
      for second in Label.allCases where first != second {
        #expect(!second.bytes.starts(with: first.bytes), "\(first) and \(second)")
      }
    }
  }

  /// The table of `Keys/formats.md` has every label of the code.
  @Test func theDocumentListsThem() throws {
    let path = Vectors.folder.appending(path: "Keys/formats.md")
    let document = try String(contentsOf: path, encoding: .utf8)
    let listed = document.split(separator: "\n").compactMap { line -> String? in
      guard line.hasPrefix("| `Coffer v1 ") else { return nil }
      return line.split(separator: "`").dropFirst().first.map {
        $0.replacingOccurrences(of: "\\0", with: "\0")
      }
    }
    #expect(Set(listed).count == listed.count)
    #expect(Set(listed).isSuperset(of: Label.allCases.map(\.rawValue)))
    for first in listed {
      for second in listed where first != second { #expect(!second.hasPrefix(first)) }
    }
  }
}
