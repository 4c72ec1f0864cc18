/// What a pair is about, by the names that a company's database has too.
package struct PairSubject: Hashable, Sendable {
  package var originalTransactionId: String?
  /// V2's type, or type/subtype.
  package var type: String?
  package var productId: String?
  /// The ids of the rows of both records, where the inputs have them.
  package var legacyId: String?
  package var serverId: String?

  package init() {}

  package init(_ legacy: RecordView, _ server: RecordView, ids: (legacy: String?, server: String?)) {
    originalTransactionId = server.originalTransactionId ?? legacy.originalTransactionId
    type = server.head.name
    productId = server.text(FieldNumber.productId) ?? legacy.text(FieldNumber.productId)
    (legacyId, serverId) = ids
  }

  /// The same of a comparison in full.
  package init(_ comparison: Comparison, ids: (legacy: String?, server: String?)) {
    func text(_ paths: String...) -> String? {
      let fields = paths.lazy.compactMap { path in comparison.fields.first { $0.v2Path?.hasSuffix(path) ?? false } }
      guard let json = fields.compactMap({ ($0.v2 ?? $0.cast)?.json }).first, json.count > 2, json.hasPrefix("\"")
      else {
        return nil
      }
      return String(json.dropFirst().dropLast())
    }
    originalTransactionId = text("transactionInfo.originalTransactionId", "originalTransactionId")
    productId = text("transactionInfo.productId", "productId")
    type = text("notificationType").map { name in
      text("subtype").map { "\(name)/\($0)" } ?? name
    }
    (legacyId, serverId) = ids
  }
}
