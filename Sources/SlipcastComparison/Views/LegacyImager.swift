package import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) package import SlipcastWire

/// Writes the images of legacy notifications; one imager serves one worker.
package final class LegacyImager {
  private let outline = ConversionOutline()
  /// Type and subtype of the cast.
  private var type: JSONText?
  private var subtype: JSONText?
  private let view: ViewWriter

  package init(_ table: ShapeTable) { view = ViewWriter(table) }

  /// Writes the image of the notification that was cast last.
  package func write(_ converter: Converter, record: Int64, to writer: JSONWriter) {
    converter.outline(into: outline)
    write(head(converter, record), converter.notificationTypeText, to: writer)
  }

  /// Writes the images of all transactions or subscriptions of the record.
  ///
  /// - Throws: `ConversionError` for an answer without receipt data.
  package func write(
    _ converter: Converter, _ unit: ParityUnit, record: Int64, to writer: JSONWriter, _ mark: () -> Void
  ) throws(ConversionError) {
    let (asOf, written) = (converter.asOf?.milliseconds, converter.writtenTime)
    func write() {
      var head = EventHead()
      (head.unit, head.record, head.isTimedByPeriod) = (unit, record, true)
      (head.asOf, head.written, head.showsOnePeriod) = (asOf, written, converter.showsOnePeriod)
      // Without a date of the event it has no place among the others.
      head.eventTime = asOf == nil ? nil : written
      head.isTakenBackUndated = converter.takesBackUndated
      self.write(head, nil, to: writer)
      mark()
    }
    try converter.forEachUnit(of: unit == .transaction ? .history : .statuses, outline, write)
  }

  /// Writes the purchase that a message takes back and does not list.
  ///
  /// - Returns: false where the message is of another kind, and nothing was written.
  package func write(unlisted converter: Converter, _ unit: ParityUnit, record: Int64, to writer: JSONWriter) -> Bool {
    guard unit == .transaction, converter.takesBackUnlisted else { return false }
    converter.convertToNotification()
    converter.outline(into: outline)
    view.clear()
    for value in outline.values where value.part == .transaction {
      add(value, value.part.number(of: Int(value.slot)))
    }
    for absence in outline.absences where absence.part == .transaction {
      view.shape.add(absence: absence.part.number(of: Int(absence.slot)), absence.reason)
    }
    var head = EventHead()
    (head.unit, head.record, head.isPart, head.isTakenBackUndated) = (unit, record, true, true)
    (head.asOf, head.written) = (converter.asOf?.milliseconds, converter.writtenTime)
    head.eventTime = head.asOf == nil ? nil : head.written
    view.shape.add(names: unit.legacyName, unit.serverName, nil)
    view.write(head, to: writer)
    return true
  }

  private func write(_ head: EventHead, _ name: JSONText?, to writer: JSONWriter) {
    view.clear()
    (type, subtype) = (nil, nil)
    for value in outline.values {
      let index = value.part.number(of: Int(value.slot))
      // The status has one slot, next to the dates that it is judged by.
      add(value, index == FieldNumber.statusOfItem ? FieldNumber.status : index)
    }
    addRest(of: outline)
    view.shape.add(names: name ?? head.unit.legacyName, type ?? head.unit.serverName, subtype)
    view.write(head, to: writer)
  }

  func unit(
    _ outline: ConversionOutline, in record: ComparedRecord, isAbsorbed: Bool
  ) -> ComparedRecord.Unit {
    view.clear()
    for value in outline.values { add(value, value.part.number(of: Int(value.slot))) }
    addRest(of: outline)
    view.shape.add(names: nil, nil, nil)
    var head = EventHead()
    (head.origin, head.isAbsorbed) = (record.origin, isAbsorbed)
    return record.append(view, head, parts: outline.values.reduce(0) { $0 | 1 << $1.part.rawValue })
  }

  private func addRest(of outline: ConversionOutline) {
    for absence in outline.absences {
      view.shape.add(absence: absence.part.number(of: Int(absence.slot)), absence.reason)
    }
    for loss in outline.losses {
      view.shape.add(
        loss: EventShape.Loss(
          place: loss.place, unknownPath: nil, row: loss.row, rule: loss.rule, isShown: loss.isShown, fate: loss.fate),
        unknownKey: loss.unknownKey)
    }
  }

  private func head(_ converter: Converter, _ record: Int64) -> EventHead {
    var head = EventHead()
    (head.isAbsorbed, head.isTimedByPeriod) = (converter.isAbsorbed, converter.isEventTimeOfPeriod)
    (head.record, head.isTakenBackUndated) = (record, converter.takesBackUndated)
    head.decision = converter.decisionNumber.map { Int16(truncatingIfNeeded: $0) } ?? -1
    head.alternatives = converter.eventChoices
    (head.eventTime, head.receivedAt) = (converter.eventTime, converter.receivedAt)
    head.asOf = converter.asOf?.milliseconds
    (head.written, head.autoRenewOnSince) = (converter.writtenTime, converter.autoRenewOnSince)
    head.id = converter.notificationUUID
    let trace = converter.trace
    (head.kind, head.state) = (trace.kind, trace.state)
    head.content = trace.kind.needsContent ? trace.content : converter.contentDigest
    return head
  }

  private func add(_ value: ConversionOutline.Value, _ index: Int) {
    let source = ViewWriter.Source(
      isInferred: value.isInferred, isSoleUse: value.isSoleUse, relation: value.relation, place: value.place,
      row: value.row)
    switch value.kind {
    case .integer: view.add(value.number, index, source)
    case .boolean: view.add(value.number != 0, index, source)
    case .text:
      guard let text = value.text else { return view.add("", index, source) }
      view.add(text, index, source)
      if index == FieldNumber.notificationType { type = text }
      if index == FieldNumber.subtype { subtype = text }
    }
  }
}
