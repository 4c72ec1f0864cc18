// Transforms of the notification itself.
@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

extension Transform {
  @Sendable static func notificationType(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    let source = state.record.rows.slot(state.record.body, .notification_type)
    guard let reading = state.reading else { return nil }
    return reading.named.notificationType.map { Cell($0, source: source) } ?? state.textCell(source)
  }

  @Sendable static func subtype(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    let source = state.record.rows.slot(state.record.body, .notification_type)
    return state.reading?.named.subtype.map { Cell($0, source: source) }
  }

  @Sendable static func signedDate(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    if let received = state.receivedAt { return Cell(received).stated }
    return state.eventTime.map { Cell($0, source: state.eventTimeSource) }
  }

  @Sendable static func notificationUUID(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    Cell(state.identity.uuid(of: state))
  }
}
