package import SlipcastMapping
@_spi(Slipcast) package import SlipcastWire

/// Writes the images of legacy notifications; one imager serves one worker.
package final class LegacyImager {
  private let outline = CastOutline()
  private let shape = ShapeWriter()
  private let payload = JSONWriter(capacity: 2048)
  private let table: ShapeTable

  package init(_ table: ShapeTable) { self.table = table }

  /// Writes the image of the notification that was cast last.
  package func write(_ caster: Caster, record: Int64, to writer: JSONWriter) {
    caster.outline(into: outline)
    shape.clear()
    payload.clear()
    for value in outline.values { add(value) }
    for absence in outline.absences {
      shape.add(absence: EventPart.index(absence.part, Int(absence.slot)), absence.reason)
    }
    for loss in outline.losses {
      shape.add(
        loss: loss.place, unknownKey: loss.unknownKey, row: loss.row, rule: loss.rule, isShown: loss.isShown)
    }
    let bytes = shape.spell()
    let number = table.number(of: bytes)
    EventImage.write(head(caster, record), shape: number, to: writer)
    if number == ShapeTable.carried {
      writer.word(UInt32(bytes.count))
      writer.raw(bytes)
    }
    writer.raw(payload.buffer)
  }

  private func head(_ caster: Caster, _ record: Int64) -> EventHead {
    var head = EventHead()
    (head.isAbsorbed, head.isTimedByPeriod) = (caster.isAbsorbed, caster.isEventTimeOfPeriod)
    head.record = record
    head.decision = caster.decisionNumber.map { Int16(truncatingIfNeeded: $0) } ?? -1
    (head.eventTime, head.receivedAt) = (caster.eventTime, caster.receivedAt)
    head.asOf = caster.asOf?.milliseconds
    head.id = caster.notificationUUID
    head.name = caster.notification_type ?? ""
    return head
  }

  private func add(_ value: CastOutline.Value) {
    let kind: ScalarView.Kind
    switch value.kind {
    case .integer:
      kind = .integer
      payload.long(value.number)
    case .boolean:
      kind = .boolean
      payload.byte(value.number == 0 ? 0 : 1)
    case .text:
      kind = .text
      payload.word(UInt32(value.text?.count ?? 0))
      if let text = value.text { payload.raw(text.base, text.count) }
    }
    shape.add(
      field: EventShape.Field(
        index: EventPart.index(value.part, Int(value.slot)), kind: kind, isInferred: value.isInferred,
        isSoleUse: value.isSoleUse, relation: value.relation, place: value.place, row: value.row))
  }
}
