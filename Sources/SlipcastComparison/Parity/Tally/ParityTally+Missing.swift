internal import SlipcastLegacy
internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// Events, and refunds of what both sides list, that the other archive should have.
extension ParityTally {
  /// Counts an event that the other archive should have, and names it where it counts as missing.
  func addMissing(_ view: RecordView, _ side: MissingEvent.Side, id: String?, _ isAfterAnswers: Bool) {
    let head = view.head
    let mayTakeBack = side == .legacy && head.decision >= 0 && reversals[Int(head.decision)]
    let isRefund = view.event.takesBack || mayTakeBack || view.isTakenBack
    var times = view.coveredTimes
    if view.isTakenBack, !coverage.time.counts(times) {
      // It was bought outside of the common time, but not refunded.
      times = (view.integer(FieldNumber.revocationDate) ?? head.time).map { $0...$0 }
    }
    guard
      coverage.addUnpaired(
        side == .legacy ? \.legacy : \.server, (head.name, times), isRefund: isRefund,
        isAfterAnswers: isAfterAnswers && !isToldByMessages(view))
    else { return }
    note(view, side, id: id, isRefund: isRefund)
  }

  /// Counts the refund or revocation of a purchase that both sides list and only one shows as taken back.
  ///
  /// It is a lost refund like one whose transaction is lost: no share of agreement and no difference of a baseline lets
  /// it pass, only the entry for this single event does.
  func lostRefund(
    _ legacy: RecordView, _ server: RecordView, _ ids: (legacy: String?, server: String?)
  ) -> MissingEvent? {
    guard server.head.unit != .notification else { return nil }
    let finding = comparer.findings.first { $0.path == FieldNumber.revocationDate }
    let isConflict = finding?.differenceClass == .conflict
    if server.integer(FieldNumber.revocationDate) == nil {
      let isShown =
        legacy.head.isTakenBackUndated || isConflict && finding?.kind == .absentInV2 || legacy.hidesRevocation
      return isShown ? note(legacy, .legacy, id: ids.legacy, isRefund: true) : nil
    }
    guard finding?.kind == .absentInV1, !legacy.head.isTakenBackUndated else { return nil }
    let names = [FieldNumber.webOrderLineItemId, FieldNumber.transactionId]
    // V1's newest period may be another one.
    let isOfOne = names.contains { legacy.name($0) != nil && legacy.name($0) == server.name($0) }
    let isToldLater = legacy.head.origin == .legacy && isOfOne && isToldByMessages(server)
    return isConflict || isToldLater ? note(server, .server, id: ids.server, isRefund: true) : nil
  }

  /// Counts a refund that only lists of V1's show: no event of it is missing on one side, and both may have lost it.
  ///
  /// - Parameter view: another event of its subscription.
  package func addShownRefund(at time: Int64, of view: RecordView) {
    guard coverage.time.counts(time...time) else { return }
    shownRefunds.count += 1
    guard shownRefunds.first.count < Self.mostShown, let id = view.originalTransactionId else { return }
    shownRefunds.first.append("\(id) at \(Timestamp(milliseconds: time))")
  }

  private static let mostShown = 3

  var noteOfShownRefunds: Comparison.Note? {
    let (count, first) = shownRefunds
    guard count > 0 else { return nil }
    let more = count > first.count ? " and \(count - first.count) more" : ""
    return Comparison.Note(
      code: "refundsOnlyListed", isWarning: true,
      message:
        "lists of V1 show \(count) \(count == 1 ? "refund" : "refunds") of which neither archive has an event, and "
        + "both may have lost \(count == 1 ? "it" : "them"): \(first.joined(separator: ", "))\(more)")
  }

  /// V2 took the purchase back at a time of which V1 has all messages: one must report it.
  package func isToldByMessages(_ view: RecordView) -> Bool {
    guard let revoked = view.integer(FieldNumber.revocationDate) else { return false }
    return messages?.contains(revoked) ?? false
  }

  @discardableResult
  private func note(_ view: RecordView, _ side: MissingEvent.Side, id: String?, isRefund: Bool) -> MissingEvent {
    let head = view.head
    let type =
      head.unit == .notification ? view.event.description : isRefund ? view.typeOfRevocation : head.name
    let revoked = view.isTakenBack ? view.integer(FieldNumber.revocationDate) : nil
    let place = locate?(side, Int(head.record)) ?? ("", Int(head.record))
    let event = missing.add(
      MissingEvent(
        side: side, type: type, isRefund: isRefund, subject: RecordSubject(view), time: revoked ?? head.time,
        place: RecordPlace(source: place.0, record: place.1, id: id)))
    onMissing?(event)
    return event
  }
}

extension RecordView {
  /// What an answer lists was refunded or revoked.
  fileprivate var isTakenBack: Bool {
    head.unit != .notification && (head.isTakenBackUndated || integer(FieldNumber.revocationDate) != nil)
  }

  /// V1 states when it was taken back, and the date cannot be read.
  fileprivate var hidesRevocation: Bool {
    shape.hasUnreadable
      && shape.losses.contains { $0.fate == .unreadable && $0.place.path.contains(LegacyKey.cancellation_date.name) }
  }

  /// The notification that V2 sends for it.
  fileprivate var typeOfRevocation: String {
    let isShared = self[FieldNumber.inAppOwnershipType]?.isWord(InAppOwnershipType.familyShared.rawValue) == true
    return (isShared ? NotificationType.revoke : .refund).rawValue
  }
}
