// Transforms of the notification itself.
@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

extension Transform {
  @Sendable static func notificationType(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    let source = builder.record.rows.slot(builder.record.body, .notification_type)
    guard let reading = builder.reading else { return nil }
    return reading.named.notificationType.map { Cell($0, source: source) } ?? builder.textCell(source)
  }

  @Sendable static func subtype(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    let source = builder.record.rows.slot(builder.record.body, .notification_type)
    return builder.reading?.named.subtype.map { Cell($0, source: source) }
  }

  @Sendable static func signedDate(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    if let received = builder.known.receivedAt { return Cell(received).stated }
    return builder.known.eventTime.map { Cell($0, source: builder.known.times.source) }
  }

  @Sendable static func notificationUUID(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    Cell(builder.identity.uuid(of: builder.known))
  }
}
