internal import SlipcastBulk
internal import SlipcastWire

extension RowBuffer {
  /// Lays out a row of `rejects`; not every database stores U+0000 in a text, so texts lose it and inputs become
  /// base64.
  mutating func append(_ reject: Reject, run: Int64) {
    let first = beginRow(.rejects)
    let values: [StoreCell] = [
      .integer(run), appendSafely(reject.source), .integer(Int64(reject.record)), .integer(Int64(reject.line)),
      .integer(Int64(reject.offset)), appendSafely(reject.stage.rawValue), appendSafely(reject.code),
      appendSafely(reject.path), appendSafely(reject.message),
    ]
    for (column, value) in values.enumerated() { cells[first + column] = value }
    if let id = reject.id { cells[first + 9] = appendSafely(id) }
    if let omitted = reject.inputOmitted { cells[first + 12] = appendSafely(omitted) }
    if reject.input.isEmpty, reject.inputOmitted != nil {
      // Nothing is kept.
    } else if !reject.input.contains(0), let text = String(validating: reject.input, as: UTF8.self) {
      cells[first + 10] = append(text)
    } else {
      cells[first + 11] = append(Base64.encode(reject.input))
    }
    if let place = reject.faultOffset { cells[first + 13] = .integer(Int64(place)) }
    cells[first + 14] = .integer(Int64(reject.length))
    if let digest = reject.sha256 { cells[first + 15] = append(digest) }
  }

  private mutating func appendSafely(_ text: String) -> StoreCell {
    guard text.utf8.contains(0) else { return append(text) }
    return append(String(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : Character($0) }))
  }
}
