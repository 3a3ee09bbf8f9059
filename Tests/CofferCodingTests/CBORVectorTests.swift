import Foundation
import Testing

@testable import CofferCoding

/// Everything in `Keys/vectors/cbor.json`, which no code of ours has made.
@Suite struct CBORVectorTests {
  let root: JSONObject

  init() throws {
    let file = URL(fileURLWithPath: #filePath).appending(
      path: "../../../Keys/vectors/cbor.json")
    root = try JSONObject(try JSONDocument.parse(Array(try Data(contentsOf: file.standardized))))
  }

  @Test func everyValueIsReadAndWrittenAsGiven() throws {
    var count = 0
    for vector in try #require(root["accepted"]).elements {
      let vector = try JSONObject(vector)
      let name = try #require(vector["name"]).string()
      let value = try Self.value(try #require(vector["value"]))
      let bytes = try unhex(try #require(vector["hex"]).string())
      #expect(value.encoded == bytes, "\(name)")
      #expect(try CBORValue(decoding: bytes) == value, "\(name)")
      count += 1
    }
    #expect(count > 100)
  }

  @Test func everyOtherEncodingIsRefusedForItsReason() throws {
    var count = 0
    for vector in try #require(root["refused"]).elements {
      let vector = try JSONObject(vector)
      let bytes = try unhex(try #require(vector["hex"]).string())
      let code = try #require(cborRefusal(bytes)).code
      #expect("\(code)" == (try #require(vector["why"]).string()))
      count += 1
    }
    #expect(count > 40)
  }

  private static func value(_ described: JSONSlice) throws -> CBORValue {
    let object = try JSONObject(described)
    let name = try #require(object.keys.first)
    let content = try #require(object[name])
    switch name {
    case "null": return .null
    case "bool": return .bool(try content.bool())
    case "integer": return .integer(try #require(Int64(try content.string())))
    case "bytes": return .bytes(try unhex(try content.string()))
    case "text": return .text(try content.string())
    case "array": return .array(try content.elements.map { try value($0) })
    default:
      return .map(
        try content.elements.map { pair in
          let pair = Array(try pair.elements)
          return CBORMember(try pair[0].string(), try value(pair[1]))
        })
    }
  }
}
