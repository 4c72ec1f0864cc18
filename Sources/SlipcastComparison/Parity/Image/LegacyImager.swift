package import SlipcastMapping
@_spi(Slipcast) package import SlipcastWire

/// Writes the images of legacy notifications; one imager serves one worker.
package final class LegacyImager {
  private let outline = CastOutline()
  /// Type and subtype of the cast.
  @exclusivity(unchecked) private var type: JSONText?
  @exclusivity(unchecked) private var subtype: JSONText?
  @exclusivity(unchecked) private var partition = PartitionName()
  private let shape = ShapeWriter()
  private let payload = JSONWriter(capacity: 2048)
  private let shapes: ShapeCache

  package init(_ table: ShapeTable) { shapes = ShapeCache(table) }

  /// A number for the subscription or purchase of an image, its time, and when it happened for the time that its archive
  /// covers.
  package typealias Name = (partition: Int64, time: Int64?, coveredTime: Int64?)

  /// Writes the image of the notification that was cast last.
  @discardableResult
  package func write(_ caster: Caster, record: Int64, to writer: JSONWriter) -> Name {
    caster.outline(into: outline)
    return write(head(caster, record), caster.notificationTypeText?.buffer, to: writer)
  }

  /// Writes the images of all transactions or subscriptions of the record.
  ///
  /// - Throws: `CastError` for an answer without receipt data.
  package func write(
    _ caster: Caster, _ unit: ParityUnit, record: Int64, to writer: JSONWriter, _ mark: (Name) -> Void
  ) throws(CastError) {
    func write() {
      var head = EventHead()
      (head.unit, head.record, head.isTimedByPeriod) = (unit, record, true)
      (head.asOf, head.eventTime) = (caster.asOf?.milliseconds, caster.asOf?.milliseconds)
      mark(self.write(head, nil, to: writer))
    }
    if unit == .transaction {
      try caster.forEachTransaction(outline, write)
    } else {
      try caster.forEachSubscription(outline, write)
    }
  }

  /// Writes what the outline says.
  private func write(_ head: EventHead, _ name: UnsafeBufferPointer<UInt8>?, to writer: JSONWriter) -> Name {
    var head = head
    shape.clear()
    payload.clear()
    (type, subtype, partition) = (nil, nil, PartitionName())
    for value in outline.values { add(value) }
    for absence in outline.absences {
      shape.add(absence: EventPart.index(absence.part, Int(absence.slot)), absence.reason)
    }
    for loss in outline.losses { shape.add(loss: loss) }
    if head.unit != .notification { head.id = partition.id(head.unit) }
    shape.add(names: name ?? head.unit.legacyName, type?.buffer ?? head.unit.serverName, subtype?.buffer)
    shapes.write(head, shape, values: payload, to: writer)
    return (partition.number(head), head.time, partition.coveredTime(head))
  }

  private func head(_ caster: Caster, _ record: Int64) -> EventHead {
    var head = EventHead()
    (head.isAbsorbed, head.isTimedByPeriod) = (caster.isAbsorbed, caster.isEventTimeOfPeriod)
    head.record = record
    head.decision = caster.decisionNumber.map { Int16(truncatingIfNeeded: $0) } ?? -1
    head.alternatives = caster.otherReadingsMask
    (head.eventTime, head.receivedAt) = (caster.eventTime, caster.receivedAt)
    head.asOf = caster.asOf?.milliseconds
    head.id = caster.notificationUUID
    let trace = caster.trace
    (head.kind, head.state) = (trace.kind, trace.state)
    head.content = trace.kind == .request ? trace.content : caster.contentDigest
    return head
  }

  private func noteEvent(_ value: CastOutline.Value) {
    switch EventPart.index(value.part, Int(value.slot)) {
    case Self.typeIndex: type = value.text
    case Self.subtypeIndex: subtype = value.text
    default: break
    }
  }

  private static let typeIndex = PartTable.shared.index(.notification, "notificationType") ?? -1
  private static let subtypeIndex = PartTable.shared.index(.notification, "subtype") ?? -1

  private func add(_ value: CastOutline.Value) {
    let kind: ScalarView.Kind
    switch value.kind {
    case .integer:
      kind = .integer
      payload.long(value.number)
      partition.note(EventPart.index(value.part, Int(value.slot)), value.number)
    case .boolean:
      kind = .boolean
      payload.byte(value.number == 0 ? 0 : 1)
    case .text:
      kind = .text
      payload.word(UInt32(value.text?.count ?? 0))
      if let text = value.text {
        payload.raw(text.base, text.count)
        partition.note(EventPart.index(value.part, Int(value.slot)), text.buffer)
      }
      if value.part == .notification { noteEvent(value) }
    }
    shape.add(
      field: EventShape.Field(
        index: EventPart.index(value.part, Int(value.slot)), kind: kind, isInferred: value.isInferred,
        isSoleUse: value.isSoleUse, relation: value.relation, place: value.place, row: value.row))
  }
}
