internal import CSlipcastJSON
internal import SlipcastLibC

/// Limits that keep hostile input from exhausting memory, stack or time.
package struct JSONLimits: Hashable, Sendable {
  /// The maximum nesting of arrays and objects; Apple's records need four levels.
  package var depth: Int
  /// How many bytes one record may have.
  package var recordBytes: Int

  /// 128 levels and 16 MiB by default.
  package init(depth: Int = 128, recordBytes: Int = 16 << 20) {
    self.depth = depth
    self.recordBytes = recordBytes
  }
}

/// Reads JSON text with simdjson into a tape; reused for every record, on one thread only.
package final class JSONReader {
  private let handle: OpaquePointer
  package let limits: JSONLimits

  /// Bytes that must be readable after every text passed to `read`.
  package static let padding = Int(SLIPCAST_JSON_PADDING)

  /// - Parameter names: keys that the tape shall number 0, 1, 2, … in this order; at most 256.
  package init(names: [String], limits: JSONLimits = JSONLimits()) {
    precondition(names.count <= 256, "the duplicate check of the shim holds 256 names")
    self.limits = limits
    // The shim copies the names, so they are needed only during the call.
    let copies = names.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    let pointers = copies.map { UnsafePointer<CChar>($0) }
    let lengths = names.map { UInt32($0.utf8.count) }
    guard let made = slipcast_json_reader_create(pointers, lengths, UInt16(names.count), UInt32(limits.depth)) else {
      fatalError("no memory for a JSON reader")
    }
    handle = made
  }

  deinit { slipcast_json_reader_destroy(handle) }

  /// Reads one JSON text.
  ///
  /// - Parameters:
  ///   - bytes: the text, followed by `padding` readable bytes.
  /// - Throws: `JSONError` with the byte offset inside this text and the path of the value that was being read.
  package func read(_ bytes: UnsafePointer<UInt8>, count: Int) throws(JSONError) -> JSONTape {
    guard count <= limits.recordBytes else {
      throw JSONError(reason: .recordTooLarge(limit: limits.recordBytes), path: JSONPath(), offset: limits.recordBytes)
    }
    let raw = slipcast_json_read(handle, bytes, count)
    let tape = Self.tape(raw, bytes, count)
    guard raw.problem != Int32(SLIPCAST_JSON_OK.rawValue) else { return tape }
    let open = (0..<Int(raw.open_count)).map { Int(raw.open[$0]) }
    throw JSONError(problem: raw.problem, offset: Int(raw.offset), tape: tape, open: open, limits: limits)
  }

  /// Reads a text that its buffer keeps; the tape is valid as long as both.
  ///
  /// - Throws: `JSONError` as for bytes.
  package func read(_ text: JSONBuffer) throws(JSONError) -> JSONTape { try read(text.base, count: text.count) }

  /// Passes the root of a text on; its tape is valid only during the call.
  ///
  /// - Returns: the result; `nil` for a text that is not JSON.
  @discardableResult
  package func parse<Result, Failure>(
    _ text: JSONBuffer, _ use: (JSONElement) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    defer { withExtendedLifetime((self, text)) {} }
    guard let tape = try? read(text) else { return nil }
    return try use(JSONElement(tape: tape))
  }

  private static func tape(_ raw: slipcast_json_tape, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> JSONTape {
    guard let first = UnsafeRawPointer(raw.entries) else { fatalError("the shim gave no tape") }
    let entries = first.assumingMemoryBound(to: JSONEntry.self)
    return JSONTape(
      bytes: bytes, byteCount: count, entries: entries, count: Int(raw.count), side: raw.side ?? bytes,
      hasDollarKey: raw.has_dollar != 0)
  }
}

extension JSONError {
  fileprivate init(problem: Int32, offset: Int, tape: JSONTape, open: [Int], limits: JSONLimits) {
    let text = UnsafeBufferPointer(start: tape.bytes, count: tape.byteCount).span
    var offset = offset
    let reason: Reason
    switch UInt32(problem) {
    case SLIPCAST_JSON_EMPTY.rawValue: reason = .empty
    case SLIPCAST_JSON_INCOMPLETE.rawValue: (reason, offset) = (.incomplete, tape.byteCount)
    case SLIPCAST_JSON_BAD_ESCAPE.rawValue: reason = .escape
    case SLIPCAST_JSON_UTF8.rawValue: (reason, offset) = (.utf8, JSONFault.firstInvalidUTF8(text))
    case SLIPCAST_JSON_CONTROL_CHARACTER.rawValue:
      (reason, offset) = (.controlCharacter, JSONFault.firstControlCharacter(text))
    case SLIPCAST_JSON_UNCLOSED_STRING.rawValue: (reason, offset) = (.unclosedString, JSONFault.unclosedString(text))
    case SLIPCAST_JSON_BAD_NUMBER.rawValue: reason = .number
    case SLIPCAST_JSON_LITERAL.rawValue: reason = .literal
    case SLIPCAST_JSON_DEPTH.rawValue: reason = .tooDeep(limit: limits.depth)
    case SLIPCAST_JSON_TOO_LARGE.rawValue: reason = .recordTooLarge(limit: limits.recordBytes)
    case SLIPCAST_JSON_TRAILING.rawValue: reason = .trailing
    case SLIPCAST_JSON_MEMORY.rawValue: reason = .memory
    default: reason = offset >= tape.byteCount ? .incomplete : .syntax
    }
    let isFirstPass = open.isEmpty && tape.count == 0
    let path = isFirstPass ? JSONFault.path(to: offset, in: text) : JSONPath(tape: tape, open: open)
    // The path is cut at the depth limit.
    self.init(reason: reason, path: JSONPath(Array(path.steps.prefix(12))), offset: offset)
  }
}
