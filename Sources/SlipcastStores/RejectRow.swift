internal import SlipcastBulk
internal import SlipcastWire

extension RowBuffer {
  /// Lays out a row of `rejects`; not every database stores U+0000 in a text, so texts lose it and inputs become
  /// base64.
  mutating func append(_ reject: Reject, run: Int64) {
    let row = beginRow(.rejects)
    self[row, .run] = .integer(run)
    self[row, .source] = appendSafely(reject.source)
    self[row, .record] = .integer(Int64(reject.record))
    self[row, .line] = .integer(Int64(reject.line))
    self[row, .byte_offset] = .integer(Int64(reject.offset))
    self[row, .stage] = appendSafely(reject.stage.rawValue)
    self[row, .code] = appendSafely(reject.code)
    self[row, .path] = appendSafely(reject.path)
    self[row, .message] = appendSafely(reject.message)
    if let id = reject.id { self[row, .id] = appendSafely(id) }
    if let omitted = reject.inputOmitted { self[row, .inputOmitted] = appendSafely(omitted) }
    if reject.input.isEmpty, reject.inputOmitted != nil {
      // Nothing is kept.
    } else if !reject.input.contains(0), let text = String(validating: reject.input, as: UTF8.self) {
      self[row, .input] = append(text)
    } else {
      self[row, .inputBase64] = append(Base64.encode(reject.input))
    }
    if let place = reject.faultOffset { self[row, .faultOffset] = .integer(Int64(place)) }
    self[row, .length] = .integer(Int64(reject.length))
    if let digest = reject.sha256 { self[row, .sha256] = append(digest) }
  }

  private mutating func appendSafely(_ text: String) -> StoreCell {
    guard text.utf8.contains(0) else { return append(text) }
    return append(String(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : Character($0) }))
  }
}
