internal import SlipcastBulk
internal import SlipcastComparison
internal import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

extension UnreadRecord {
  /// A record that was rejected.
  init(_ reject: Reject, _ side: MissingEvent.Side) {
    let place = RecordPlace(source: InputFile.title(reject.source), record: reject.record, id: reject.id)
    self.init(
      side: side, place: place, words: reject.subject?.words ?? "nothing of it was read", code: reject.code,
      path: reject.path, message: reject.message)
    type = reject.subject?.type
    originalTransactionIds = reject.subject?.originalTransactionIds
  }

  /// A record that was read, and is of another kind than the archive's first one.
  init(_ view: RecordView, at place: RecordPlace, _ side: MissingEvent.Side, besides unit: ParityUnit) {
    var subject = RejectSubject()
    if view.head.unit == .notification { subject.type = view.head.name }
    subject.originalTransactionIds = [view.originalTransactionId].compactMap(\.self)
    self.init(
      side: side, place: place, words: subject.words, code: "otherKind",
      message: "expected \(unit.archive) as before it, found \(view.head.unit.archive)")
    (type, originalTransactionIds) = (subject.type, subject.originalTransactionIds)
  }
}
