/// Finds the position of faults that simdjson's first pass reports without one; runs only on broken records.
enum JSONFault {
  static func firstInvalidUTF8(_ text: Span<UInt8>) -> Int {
    var parser = Unicode.UTF8.ForwardParser()
    // This runs for one record at a time, and only after a fault: a copy can be iterated.
    var iterator = Array(text).makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar): offset += scalar.count
      case .error, .emptyInput: return min(offset, text.count)
      }
    }
  }

  static func firstControlCharacter(_ text: Span<UInt8>) -> Int {
    visitStrings(text) { string in string.first { text[$0] < 0x20 } } ?? text.count
  }

  static func unclosedString(_ text: Span<UInt8>) -> Int {
    var opened = 0
    _ = visitStrings(text) { string in
      opened = string.lowerBound
      return nil
    }
    return opened
  }

  /// The value at a position, found by reading keys and counting commas up to it.
  static func path(to offset: Int, in text: Span<UInt8>) -> JSONPath {
    var frames: [Frame] = []
    var at = 0
    while at < min(offset, text.count) {
      switch text[at] {
      case UInt8(ascii: "{"): frames.append(Frame(isObject: true))
      case UInt8(ascii: "["): frames.append(Frame(isObject: false))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = frames.popLast()
      case UInt8(ascii: ","): frames.last.map { frames[frames.count - 1] = $0.next }
      case UInt8(ascii: "\""):
        let end = endOfString(text, at)
        if let last = frames.last, last.isObject, last.key == nil, end < offset, isColon(text, behind: end) {
          frames[frames.count - 1].key = String(decoding: text.extracting(at + 1..<end))
        }
        at = end
      default: break
      }
      at += 1
    }
    return JSONPath(frames.compactMap { frame in frame.isObject ? frame.key.map { .key($0) } : .index(frame.index) })
  }

  private struct Frame {
    var isObject: Bool
    var key: String?
    var index = 0

    var next: Frame { Frame(isObject: isObject, key: nil, index: index + 1) }
  }

  /// Only a string before a colon is a key: after a missing first quote, a key ends with a quote that seems to start
  /// another string.
  private static func isColon(_ text: Span<UInt8>, behind end: Int) -> Bool {
    text.first(from: end + 1) { !$0.isBlank } == UInt8(ascii: ":")
  }

  /// The position of the closing quote, or the end of the text.
  private static func endOfString(_ text: Span<UInt8>, _ start: Int) -> Int {
    var at = start + 1
    while at < text.count, text[at] != UInt8(ascii: "\"") { at += text[at] == UInt8(ascii: "\\") ? 2 : 1 }
    return min(at, text.count)
  }

  /// Visits strings, from the opening quote to the closing one or the end of the text, until the closure returns a value.
  private static func visitStrings(_ text: Span<UInt8>, _ visit: (Range<Int>) -> Int?) -> Int? {
    var at = 0
    while let start = text.firstIndex(of: UInt8(ascii: "\""), from: at) {
      let end = endOfString(text, start)
      if let found = visit(start..<end) { return found }
      at = end + 1
    }
    return nil
  }
}
