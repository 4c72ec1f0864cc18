@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Converts legacy records into what their counterparts are, and takes the conversions apart.
final class ConversionReader {
  let legacy: RecordConverter
  /// For companion messages: their whole history is next to the notification.
  private lazy var historian = RecordConverter(prepared: prepared, options: options)
  private let rules: RuleSet
  private let prepared: LegacyConverter.PreparedRules
  private let options: ConversionOptions
  private let imager: LegacyImager
  private let outline = ConversionOutline()
  /// Companion messages are turned to the purchase of V2's event.
  var turnsCompanions = true

  init(_ table: ShapeTable, _ prepared: LegacyConverter.PreparedRules, _ options: ConversionOptions) {
    (rules, self.options, self.prepared) = (prepared.rules, options, prepared)
    legacy = RecordConverter(prepared: prepared, options: options)
    imager = LegacyImager(table)
  }

  /// Converts a record into what another one is.
  func read(
    _ bytes: [UInt8], _ receivedAt: Timestamp?, for server: ComparedRecord, _ view: RecordView
  ) throws(ComparisonError) -> ComparedRecord {
    do {
      server.show(server.outer, in: view)
      let converter = try legacy.filled(with: bytes, receivedAt: receivedAt, into: emission(bytes, server, view))
      let record = ComparedRecord()
      (record.origin, record.time) = (.legacy, converter.asOf?.milliseconds)
      (record.written, record.showsOnePeriod) = (converter.writtenTime, converter.showsOnePeriod)
      let parts = converter.drawUpAccount()
      let decision = decision(converter)
      if converter.tree.form == .notification {
        if turnsCompanions, decision?.isAbsorbed == true, server.form == .notification,
          let turned = try Turned(
            converter, outline, to: view,
            { try historian.filled(with: bytes, receivedAt: receivedAt, into: .history) })
        {
          record.source = LegacySource(
            converter, decision, losses: turned.losses, history: turned.history, added: turned.added)
        } else {
          record.source = LegacySource(converter, decision, losses: LegacySource.losses(of: converter))
          converter.outline(Array(parts.indices), into: outline)
        }
        record.outer = unit(in: record, isAbsorbed: !turnsCompanions && converter.isAbsorbed)
      } else {
        record.source = LegacySource(converter, decision, losses: LegacySource.losses(of: converter))
        readAnswer(converter, parts, into: record, view)
      }
      record.description = description(converter, record, view)
      return record
    } catch let error as ConversionError where error.reason == .noEvent {
      throw ComparisonError(.server, .kindsDiffer(legacy: "verifyReceipt response", server: server.kind))
    } catch {
      throw ComparisonError(.legacy, error)
    }
  }

  private func emission(_ bytes: [UInt8], _ server: ComparedRecord, _ view: RecordView) throws -> Emission {
    switch server.form {
    case .notification: .notification
    case .history: .history
    case .statuses: .statuses
    case .appTransaction: .appTransaction
    // Parts are compared with a notification's own parts, with a receipt's history or statuses.
    case .parts:
      switch try LegacyDocument(json: bytes).form {
      case .notification: .notification
      case .verifyReceipt: view.has(.renewal) || server.hasStatus ? .statuses : .history
      }
    }
  }

  /// The row of the decision table, with the confidence of the record and the other events that it leaves possible.
  private func decision(_ converter: Converter) -> TypeRule? {
    guard converter.tree.form == .notification, let number = converter.decisionNumber else {
      return rules.types.first { $0.id == converter.rule }
    }
    var row = rules.comparedTypes[number]
    row.confidence = converter.confidenceOfOutput
    row.apply(converter.eventChoices, rules.events)
    return row
  }

  private func readAnswer(
    _ converter: Converter, _ parts: [ObjectPart], into record: ComparedRecord, _ view: RecordView
  ) {
    record.form =
      switch converter.tree.form {
      case .history: .history
      case .appTransaction: .appTransaction
      case .notification, .statuses: .statuses
      }
    var item = 0
    for (number, part) in parts.enumerated() {
      switch part {
      case .history, .statuses, .appTransaction:
        converter.outline([number], into: outline)
        record.outer = unit(in: record)
      case .group:
        converter.outline([number], into: outline)
        record.groups.append(unit(in: record))
        item = 0
      case .item:
        converter.outline([number, number + 1, number + 2], into: outline)
        record.append(unit(in: record), .item(group: record.groups.count - 1, item), view)
        item += 1
      case .transaction where record.form == .history:
        converter.outline([number], into: outline)
        record.append(unit(in: record), .transaction(record.items.count), view)
      default: break
      }
    }
  }

  private func unit(in record: ComparedRecord, isAbsorbed: Bool = false) -> ComparedRecord.Unit {
    var unit = imager.unit(outline, in: record, isAbsorbed: isAbsorbed)
    record.source?.note(outline, for: &unit)
    return unit
  }

  private func description(_ converter: Converter, _ record: ComparedRecord, _ view: RecordView) -> String {
    guard converter.record.form == .notification else { return "verifyReceipt response" }
    var type: String?
    if record.form == .notification, let unit = record.outer, let source = record.source {
      record.show(unit, in: view)
      if view[FieldNumber.notificationType] != nil {
        let place = Int(source.values[unit.values + view.place(FieldNumber.notificationType)])
        type = place == 0 ? nil : source.text(place)
      }
    }
    return ["version 1 notification", type?.unquoted].compactMap(\.self).joined(separator: " ")
  }
}

/// A companion message turned to the purchase of V2's event.
///
/// A companion (the CANCEL of an upgraded period) names the period it ended; V2 sends one event for the whole action, with
/// the period that it led to. The legacy record lists both.
private struct Turned {
  var losses: [LegacySource.Loss]
  let history: LegacySource.History
  var added: [Account.Unmapped] = []

  /// `nil` where the message names that purchase, or does not list it.
  ///
  /// - Parameters:
  ///   - outline: takes the objects of the notification, with that transaction.
  ///   - server: V2's event.
  ///   - convert: converts all transactions of the message.
  init?(_ converter: Converter, _ outline: ConversionOutline, to server: RecordView, _ convert: () throws -> Converter)
    rethrows
  {
    guard let lineItem = server.text(FieldNumber.webOrderLineItemId) else { return nil }
    let part = Int(ObjectPart.transaction.rawValue)
    converter.outline([part], into: outline)
    guard !outline.values.isEmpty, outline.text(FieldNumber.webOrderLineItemId) != lineItem else { return nil }
    let old = Self.purchase(converter, outline)
    let history = try convert()
    let parts = history.drawUpAccount()
    let found = parts.indices.first { number in
      guard parts[number] == .transaction else { return false }
      history.outline([number], into: outline)
      return outline.text(FieldNumber.webOrderLineItemId) == lineItem
    }
    guard let found else { return nil }
    let new = Self.purchase(history, outline)
    converter.outline(ObjectPart.allCases.prefix(4).map { Int($0.rawValue) }.filter { $0 != part }, into: outline)
    history.outline([found], into: outline, isAdded: true)
    outline.recountUses()
    let used = Set(outline.values.filter { !$0.isOpen }.map(\.source))
    // The other rows stay as they were; of the new one what gave no value, of the old one itself.
    losses = LegacySource.losses(of: converter).filter { loss in
      let source = converter.sourceOfUnmapped(Int(loss.number))
      return new?.contains(source) != true && old?.contains(source) != true && !used.contains(source)
    }
    losses += LegacySource.losses(of: history).compactMap { loss in
      let source = history.sourceOfUnmapped(Int(loss.number))
      guard new?.contains(source) == true, !used.contains(source) else { return nil }
      return LegacySource.Loss(number: loss.number, isOfHistory: true)
    }
    self.history = LegacySource.History(
      converter: history, from: "transactions[\(found)].", to: "data.transactionInfo.")
    guard let old, old != new else { return }
    let path = TapePaths(converter.record.tape, root: converter.record.root).text(old.lowerBound)
    let reason = "the companion's own transaction; V2's event contains the one that the action led to"
    added = [Account.Unmapped(v1Path: path, isContainer: true, rule: nil, reason: reason, fate: .elsewhere)]
  }

  /// The V1 object that the transaction was made from, by its range on the tape.
  private static func purchase(_ converter: Converter, _ outline: ConversionOutline) -> Range<Int>? {
    [FieldNumber.purchaseDate, FieldNumber.transactionId, FieldNumber.productId].lazy
      .compactMap { index in outline.value(index).flatMap { converter.object(around: $0.source) } }.first
  }
}

extension ConversionOutline {
  fileprivate func value(_ index: Int) -> Value? {
    values.first { $0.part.number(of: Int($0.slot)) == index }
  }

  fileprivate func text(_ index: Int) -> String? { value(index)?.text?.string }
}
