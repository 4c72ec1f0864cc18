// Unsafe on purpose: the C functions take pointers. They read nothing behind a text, and write no more than they read.
internal import CSlipcastJSON

// Searches over much text, many bytes at a time (frames.h).

/// Finds the end of an object that keeps JSON's grammar, many bytes at a time.
///
/// Whole objects are nearly all of an array or a log: careful scanners handle only what is broken or cut.
package enum WholeObject {
  /// Deeper text is not a record.
  package static let deepest = 1024

  /// The position after an object; where it breaks the grammar, or its end is not available, the position of that.
  ///
  /// Escapes, numbers and words are not checked: the reader of records does that.
  package static func end(in text: Span<UInt8>, from start: Int) -> (end: Int, isWhole: Bool) {
    text.withUnsafeBufferPointer { memory in
      guard let base = memory.baseAddress, start >= 0, start < memory.count else { return (start, false) }
      let frame = slipcast_object_end(base, memory.count, start, UInt32(deepest))
      return (Int(frame.end), frame.is_whole != 0)
    }
  }
}

/// Cells in quotes, in which a quote is doubled (RFC 4180), many bytes at a time.
package enum QuotedCell {
  /// Appends the content of a cell that begins at a position, one quote for each two.
  ///
  /// A quote at the end of the text closes the cell.
  ///
  /// - Returns: its closing quote, and whether there are doubled quotes before it; `nil`, and nothing, where the cell is not
  ///   closed.
  package static func copy(
    from text: Span<UInt8>, at start: Int, to writer: JSONWriter
  ) -> (quote: Int, isEscaped: Bool)? {
    guard start >= 0, start < text.count else { return nil }
    writer.reserve(text.count - start)
    return text.withUnsafeBufferPointer { memory in
      guard let base = memory.baseAddress else { return nil }
      let cell = slipcast_quoted_cell(base, memory.count, start, writer.base + writer.written)
      guard cell.is_found != 0 else { return nil }
      writer.written += Int(cell.written)
      return (Int(cell.end), cell.is_escaped != 0)
    }
  }
}

/// Whole groups of four letters, which are nearly all of a text in base64.
enum Base64Groups {
  /// The letters that are read.
  enum Letters { case standard, url, both }

  /// Decodes the groups of letters up to the first one with another byte.
  ///
  /// - Returns: how many letters were read.
  static func decode(_ text: Span<UInt8>, _ letters: Letters, to bytes: inout OutputSpan<UInt8>) -> Int {
    guard bytes.freeCapacity > text.count / 4 * 3 else { return 0 }
    let own =
      switch letters {
      case .standard: SLIPCAST_BASE64_STANDARD
      case .url: SLIPCAST_BASE64_URL
      case .both: SLIPCAST_BASE64_BOTH
      }
    return bytes.withUnsafeMutableBufferPointer { memory, count in
      text.withUnsafeBufferPointer { text in
        guard let source = text.baseAddress, let target = memory.baseAddress else { return 0 }
        let read = Int(slipcast_base64_groups(source, text.count, own, target + count))
        count += read / 4 * 3
        return read
      }
    }
  }
}

extension Span<UInt8> {
  /// The position of the first of three bytes at or after a position; `count` where none follows.
  package func firstIndex(ofAny bytes: (UInt8, UInt8, UInt8), from start: Int) -> Int {
    withUnsafeBufferPointer { memory in
      guard let base = memory.baseAddress, start >= 0, start < memory.count else { return memory.count }
      return Int(slipcast_find_any(base, memory.count, start, bytes.0, bytes.1, bytes.2))
    }
  }
}
