import Testing

@testable import CofferCoding

@Suite struct CBORFieldsTests {
  @Test func membersAreTakenByName() throws {
    var fields = try CBORFields([
      "n": 7, "t": "x", "b": .bytes([1]), "f": true, "a": [1, 2], "m": ["k": nil], "z": nil,
    ])
    #expect(try fields.integer("n") == 7)
    #expect(try fields.text("t") == "x")
    #expect(try fields.bytes("b") == [1])
    #expect(try fields.bool("f"))
    #expect(try fields.array("a") == [1, 2])
    var inner = try fields.fields("m")
    #expect(inner.has("k"))
    #expect(!inner.has("n"))
    #expect(inner.take("k") == .some(.null))
    #expect(cborFault { () throws(CBORValueError) in try inner.refuseUnknown() } == nil)
    #expect(cborFault { () throws(CBORValueError) in try fields.refuseUnknown() } == .unknownMember)
    #expect(try fields.value("z") == .null)
    #expect(cborFault { () throws(CBORValueError) in try fields.refuseUnknown() } == nil)
  }

  @Test func aMemberIsThereOnce() throws {
    var fields = try CBORFields(["n": 7])
    #expect(fields.take("n") == 7)
    #expect(fields.take("n") == nil)
    #expect(cborFault { () throws(CBORValueError) in try fields.integer("n") } == .missingMember)
  }

  @Test func wrongKindsAreTold() throws {
    let map: CBORValue = ["n": 7, "t": "x"]
    #expect(cborFault { () throws(CBORValueError) in try CBORFields(7) } == .wrongKind)
    #expect(cborFault { () throws(CBORValueError) in try CBORFields([]) } == .wrongKind)
    for name in ["n", "t"] {
      var fields = try CBORFields(map)
      #expect(cborFault { () throws(CBORValueError) in try fields.bytes(name) } == .wrongKind)
      fields = try CBORFields(map)
      #expect(cborFault { () throws(CBORValueError) in try fields.bool(name) } == .wrongKind)
      fields = try CBORFields(map)
      #expect(cborFault { () throws(CBORValueError) in try fields.array(name) } == .wrongKind)
      fields = try CBORFields(map)
      #expect(cborFault { () throws(CBORValueError) in try fields.fields(name) } == .wrongKind)
    }
    var fields = try CBORFields(map)
    #expect(cborFault { () throws(CBORValueError) in try fields.integer("t") } == .wrongKind)
    #expect(cborFault { () throws(CBORValueError) in try fields.text("n") } == .wrongKind)
  }

  @Test func namesAreComparedByTheirBytes() throws {
    var fields = try CBORFields(["e\u{301}": 1])
    #expect(fields.take("\u{e9}") == nil)
    #expect(fields.take("e\u{301}") == 1)
  }
}
