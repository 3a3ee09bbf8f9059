import Testing

@testable import CofferCoding

@Suite struct JSONObjectTests {
  @Test func membersAreFoundByName() throws {
    let object = try JSONObject(
      json("{\"seq\":7,\"text\":\"x\",\"s\\u0065q2\":null,\"\":true,\"é\":1}"))
    #expect(object.count == 5)
    #expect(object.keys == ["seq", "text", "seq2", "", "é"])
    #expect(try object["seq"]?.int64() == 7)
    #expect(try object["text"]?.string() == "x")
    #expect(object["seq2"]?.isNull == true)
    #expect(try object[""]?.bool() == true)
    #expect(try object["\u{e9}"]?.int64() == 1)
    for absent in ["se", "seqs", "Seq", "seq\0"] { #expect(object[absent] == nil) }
  }

  @Test func unknownMembersAreNamed() throws {
    let object = try JSONObject(json("{\"b\":1,\"a\":2,\"c\":3}"))
    #expect(object.keys(besides: ["a"]) == ["b", "c"])
    #expect(object.keys(besides: ["c", "b", "a", "d"]) == [])
  }

  @Test(arguments: [
    "{\"a\":1,\"a\":1}", "{\"a\":1,\"b\":2,\"\\u0061\":3}", "{\"\\u0061\":1,\"a\":2}",
    "{\"é\":1,\"\\u00e9\":2}", "{\"\":1,\"\":2}", "{\"\\ud83d\\ude00\":1,\"😀\":2}",
    "{\"a\\/\":1,\"a/\":2}",
  ])
  func aNameTwiceIsRefused(text: String) throws {
    let slice = try json(text)
    #expect(valueError { () throws(JSONValueError) in try JSONObject(slice) } == .duplicateKey)
  }

  @Test func namesAreComparedByBytesNotByLook() throws {
    // Canonically equivalent, so equal as `String`, but two names.
    let object = try JSONObject(json("{\"\u{e9}\":1,\"e\u{301}\":2}"))
    #expect(try object["\u{e9}"]?.int64() == 1)
    #expect(try object["e\u{301}"]?.int64() == 2)
    #expect(object.keys(besides: ["\u{e9}"]).map { Array($0.utf8) } == [[0x65, 0xcc, 0x81]])
  }

  @Test func anIllFormedNameSpoilsItsObject() throws {
    let page = try json("[{\"\\ud83d\":1},{\"a\":1}]")
    let objects = try page.elements.map { slice in
      valueError { () throws(JSONValueError) in try JSONObject(slice) }
    }
    #expect(objects == [.illFormedText, nil])
  }

  @Test func anObjectOfTooManyMembersIsRefused() throws {
    func object(_ count: Int) throws -> JSONSlice {
      try json("{" + (0..<count).map { "\"\($0)\":0" }.joined(separator: ",") + "}")
    }
    #expect(try JSONObject(object(1024)).count == 1024)
    let slice = try object(1025)
    #expect(valueError { () throws(JSONValueError) in try JSONObject(slice) } == .tooManyMembers)
    #expect(try slice.members.reduce(0) { count, _ in count + 1 } == 1025)
  }

  @Test(arguments: ["[]", "1", "null", "\"\""])
  func onlyObjectsHaveMembers(text: String) throws {
    let slice = try json(text)
    #expect(valueError { () throws(JSONValueError) in try JSONObject(slice) } == .wrongKind)
  }
}
