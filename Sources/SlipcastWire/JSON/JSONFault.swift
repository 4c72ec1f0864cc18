/// Finds the place of faults that simdjson's first pass reports without one. Runs on broken records only.
enum JSONFault {
  static func firstInvalidUTF8(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = text.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar): offset += scalar.count
      case .error, .emptyInput: return min(offset, text.count)
      }
    }
  }

  static func firstControlCharacter(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    scanStrings(text) { _, offset in text[offset] < 0x20 ? offset : nil } ?? text.count
  }

  static func unclosedString(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    var opened = 0
    _ = scanStrings(text) { start, _ in
      opened = start
      return nil
    }
    return opened
  }

  /// Visits every byte inside strings with the offset of the string's opening quote, until told to stop.
  private static func scanStrings(
    _ text: UnsafeBufferPointer<UInt8>, _ visit: (_ start: Int, _ offset: Int) -> Int?
  ) -> Int? {
    var offset = 0
    while offset < text.count {
      guard text[offset] == UInt8(ascii: "\"") else {
        offset += 1
        continue
      }
      let start = offset
      offset += 1
      if offset == text.count { return visit(start, start) }
      while offset < text.count, text[offset] != UInt8(ascii: "\"") {
        if let found = visit(start, offset) { return found }
        offset += text[offset] == UInt8(ascii: "\\") ? 2 : 1
      }
      offset += 1
    }
    return nil
  }
}
