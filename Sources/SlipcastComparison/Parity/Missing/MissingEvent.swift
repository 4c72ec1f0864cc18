internal import SlipcastV2

/// An event without a counterpart, in the time in which the other archive should have one.
package struct MissingEvent: Hashable, Sendable {
  /// The archive that has it.
  package enum Side: String, CaseIterable, Hashable, Sendable { case legacy, server }

  package var side: Side
  /// V2's type, or type/subtype; for a V1 event as the rules read it.
  package var type: String
  /// It takes access back: a refund, or the end of Family Sharing.
  package var isRefund: Bool
  /// What it is about.
  package var subject: RecordSubject
  /// When it happened, milliseconds since 1970 UTC.
  package var time: Int64?
  /// Where its record stands.
  package var place: RecordPlace
  /// A baseline accepts it.
  package var isAccepted = false

  package init(
    side: Side, type: String, isRefund: Bool, subject: RecordSubject, time: Int64?, place: RecordPlace
  ) {
    (self.side, self.type, self.isRefund) = (side, type, isRefund)
    (self.subject, self.time, self.place) = (subject, time, place)
  }
}

/// Which purchase a record is about, by the names that a company's database has too.
package struct RecordSubject: Hashable, Sendable {
  package var originalTransactionId: String?
  package var transactionId: String?
  package var productId: String?

  package init() {}

  package init(_ view: RecordView) {
    originalTransactionId = view.originalTransactionId
    transactionId = view.text(FieldNumber.transactionId)
    productId = view.text(FieldNumber.productId) ?? view.text(FieldNumber.autoRenewProductId)
  }
}

/// Where a record stands: its source, its number there, and the id of its row.
package struct RecordPlace: Hashable, Sendable {
  package var source: String
  /// From 1.
  package var record: Int
  /// The row's id, where the input has one.
  package var id: String?

  package init(source: String, record: Int, id: String? = nil) {
    (self.source, self.record, self.id) = (source, record, id)
  }
}
