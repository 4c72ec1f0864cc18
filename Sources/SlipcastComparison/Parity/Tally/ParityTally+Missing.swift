internal import SlipcastMapping
internal import SlipcastV2

/// Events, and refunds of what both sides list, that the other archive should have.
extension ParityTally {
  /// Counts an event that the other archive should have, and names it where it counts as missing.
  func addMissing(_ view: RecordView, _ side: MissingEvent.Side, id: String?, _ isAfterAnswers: Bool) {
    let head = view.head
    let readings = side == .legacy && head.decision >= 0 ? candidates[Int(head.decision)] : []
    let isReversal = ([view.event] + readings).contains(where: \.takesBack)
    let isRefund = isReversal || view.isTakenBack
    let counted = (head.name, view.coveredTimes)
    guard
      coverage.addUnpaired(
        side == .legacy ? \.legacy : \.server, counted, isRefund: isRefund, isAfterAnswers: isAfterAnswers)
    else { return }
    _ = note(view, side, id: id, isRefund: isRefund)
  }

  /// Counts the refund or revocation of a purchase that both sides list and only one shows as taken back.
  ///
  /// It is a lost refund like one whose transaction is lost: no share of agreement and no difference of a baseline lets
  /// it pass, only the entry for this single event does.
  func lostRefund(_ legacy: RecordView, _ server: RecordView, _ ids: (legacy: String?, server: String?))
    -> MissingEvent?
  {
    guard server.head.unit != .notification,
      let finding = comparer.findings.first(where: { $0.path == FieldNumber.revocationDate }),
      finding.differenceClass == .conflict
    else { return nil }
    switch finding.kind {
    case .absentInV2: return note(legacy, .legacy, id: ids.legacy, isRefund: true)
    case .absentInV1: return note(server, .server, id: ids.server, isRefund: true)
    default: return nil
    }
  }

  private func note(_ view: RecordView, _ side: MissingEvent.Side, id: String?, isRefund: Bool) -> MissingEvent {
    let head = view.head
    let type =
      head.unit == .notification ? view.event.description : view.isTakenBack ? view.typeOfRevocation : head.name
    let place = locate?(side, Int(head.record)) ?? ("", Int(head.record))
    let event = missing.add(
      MissingEvent(
        side: side, type: type, isRefund: isRefund, subject: RecordSubject(view),
        time: view.isTakenBack ? view.integer(FieldNumber.revocationDate) : head.time,
        place: RecordPlace(source: place.0, record: place.1, id: id)))
    onMissing?(event)
    return event
  }
}

extension RecordView {
  /// What an answer lists was refunded or revoked.
  fileprivate var isTakenBack: Bool { head.unit != .notification && integer(FieldNumber.revocationDate) != nil }

  /// The notification that V2 sends for it.
  fileprivate var typeOfRevocation: String {
    let isShared = self[FieldNumber.inAppOwnershipType]?.isWord(InAppOwnershipType.familyShared.rawValue) == true
    return (isShared ? NotificationType.revoke : .refund).rawValue
  }
}
