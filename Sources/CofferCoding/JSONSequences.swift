/// The elements of an array.
package struct JSONElements: Sequence, Sendable {
  let array: JSONSlice

  package func makeIterator() -> Iterator {
    Iterator(document: array.document, index: array.start + 1, end: array.end - 1)
  }

  package struct Iterator: IteratorProtocol {
    let document: [UInt8]
    var index: Int
    let end: Int

    package mutating func next() -> JSONSlice? {
      // A span of `self.document` would forbid to write `self.index`.
      let document = document
      let text = document.span
      let start = JSONScan.spaceEnd(text, index)
      guard start < end else { return nil }
      let valueEnd = JSONScan.valueEnd(text, start)
      // Past the comma; after the last value, past the closing bracket.
      index = JSONScan.spaceEnd(text, valueEnd) + 1
      return JSONSlice(document: document, start: start, end: valueEnd)
    }
  }
}

/// The members of an object.
package struct JSONMembers: Sequence, Sendable {
  let object: JSONSlice

  package func makeIterator() -> Iterator {
    Iterator(
      elements: JSONElements.Iterator(
        document: object.document, index: object.start + 1, end: object.end - 1))
  }

  package struct Iterator: IteratorProtocol {
    var elements: JSONElements.Iterator

    package mutating func next() -> (key: JSONString, value: JSONSlice)? {
      let document = elements.document
      let text = document.span
      let start = JSONScan.spaceEnd(text, elements.index)
      guard start < elements.end else { return nil }
      let end = JSONScan.stringEnd(text, start)
      let key = JSONString(document: document, start: start + 1, end: end - 1)
      // Past the colon.
      elements.index = JSONScan.spaceEnd(text, end) + 1
      guard let value = elements.next() else { return nil }
      return (key, value)
    }
  }
}
