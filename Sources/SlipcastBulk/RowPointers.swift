/// Where the rows of a source have their record, the time of its receipt, and their own id.
package struct RowPointers: Hashable, Sendable {
  /// The path of the record; `nil`: the row is the record.
  package var body: JSONPointer?
  /// The path of the received time.
  package var receivedAt: JSONPointer?
  /// The path of the row's own id.
  package var id: JSONPointer?
  /// Where this is stated, for messages: `sources.json: sources[2]`; `nil` for options.
  package var place: String?

  package init(body: JSONPointer? = nil, receivedAt: JSONPointer? = nil, id: JSONPointer? = nil) {
    (self.body, self.receivedAt, self.id) = (body, receivedAt, id)
  }

  /// A row has something besides its record.
  var isWrapped: Bool { body != nil || receivedAt != nil || id != nil }

  /// The column of a table that is the record.
  var column: String? { body.flatMap { $0.tokens.count == 1 ? $0.tokens.first : nil } }

  /// As words, for a digest.
  var words: [String] { [body, receivedAt, id].map { $0?.description ?? "" } }
}
