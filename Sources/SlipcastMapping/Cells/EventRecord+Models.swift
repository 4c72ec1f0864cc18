package import SlipcastV2
@_spi(Slipcast) package import SlipcastWire

// The tree as typed values, without JSON in between.

private struct TreeObject: FieldSource {
  let tree: EventRecord
  let place: Int

  func model<Model: FieldModel>() throws(FieldError) -> Model {
    var model = Model()
    let fields = Model.fields
    try tree.objects[place].row.forEach { slot, cell throws(FieldError) in
      guard let input = input(cell) else { return }
      try fields[slot].read(&model, input)
    }
    return model
  }

  private func input(_ cell: Cell) -> FieldInput? {
    switch cell.kind {
    case .text: cell.text.map { .text($0.string) }
    case .integer: .integer(cell.integer)
    case .boolean: .boolean(cell.integer != 0)
    case .row: .object(TreeObject(tree: tree, place: place + Int(cell.integer)))
    case .list: .objects(tree.children(of: place).map { TreeObject(tree: tree, place: $0) })
    case .mismatched: nil
    }
  }
}

extension Converter {
  /// The conversion as typed values, with `migration`.
  ///
  /// - Throws: `FieldError` when a rule made a value that its field cannot hold.
  package func value() throws(FieldError) -> Conversion.Value {
    let root = TreeObject(tree: tree, place: 0)
    switch tree.form {
    case .notification:
      var value: ResponseBodyV2DecodedPayload = try root.model()
      value.migration = migration
      return .notification(value)
    case .history:
      var value: HistoryResponse = try root.model()
      value.migration = migration
      return .history(value)
    case .statuses:
      var value: StatusResponse = try root.model()
      value.migration = migration
      return .statuses(value)
    case .appTransaction:
      var value: AppTransaction = try root.model()
      value.migration = migration
      return .appTransaction(value)
    }
  }

  /// Slipcast's own account inside the V2 value, without the list of conclusions.
  package var migrationReading: Migration {
    var migration = Migration()
    if let reading = builder.reading, tree.form == .notification {
      migration = reading.decision.migration(reading.settlement == nil ? reading.confidence : reading.ownConfidence)
      if let settlement = reading.settlement { settle(&migration, reading, settlement) }
      let others = otherReadings
      if reading.disproved != 0 { removeDisproved(&migration, reading) }
      if reading.isAmbiguous {
        migration.candidates? += others.map { MigrationCandidate($0, needs: Self.unseen) }
      } else if !others.isEmpty {
        migration.accepts = others.map { MigrationCandidate($0) }
      }
      migration.autoRenewOnSince = known.autoRenewOnSince.map(Timestamp.init(milliseconds:))
    } else if tree.form != .notification {
      (migration.rule, migration.confidence) = (rule, .known(confidenceOfOutput))
    }
    return migration
  }

  /// Candidates that a visible value contradicts are left out; the only one that remains is the event.
  private func removeDisproved(_ migration: inout Migration, _ reading: EventReading) {
    migration.confidence = .known(reading.confidence)
    guard let all = migration.candidates else { return }
    let candidates = all.enumerated().filter { reading.disproved & 1 << UInt64($0.offset) == 0 }.map(\.element)
    migration.candidates = reading.isAmbiguous ? candidates : nil
    guard !reading.isAmbiguous, reading.isAbsorbed, migration.absorbed == nil else { return }
    var absorbed = MigrationAbsorbed()
    (absorbed.into, absorbed.rule) = (reading.named.event.description, rule)
    migration.absorbed = absorbed
  }

  /// What a candidate needs that the row itself does not name: another row reads it, by facts that the record leaves open.
  private static let unseen = "more than the record shows"

  /// The reading that other messages of the archive settled, or narrowed to one with or without an offer.
  private func settle(_ migration: inout Migration, _ reading: EventReading, _ settlement: Settlement) {
    migration.confidence = .known(reading.confidence)
    let told = MigrationSettled(settlement, from: reading.ownConfidence, sources: sourceNames)
    if reading.isNarrowed { migration.narrowed = told } else { migration.settled = told }
    migration.absorbed = nil
    guard reading.isAbsorbed else { return }
    var absorbed = MigrationAbsorbed()
    (absorbed.into, absorbed.rule) = (reading.named.event.description, rule)
    migration.absorbed = absorbed
  }

  private var migration: Migration {
    var migration = migrationReading
    var inferred: [String] = []
    tree.forEachObject { object, prefix in
      guard object.part != .group else { return }
      object.row.forEachInferred { inferred.append(prefix + object.row.schema.fields[$0].name) }
    }
    migration.inferred = inferred
    return migration
  }
}

extension MigrationCandidate {
  init(_ event: EventName, needs: String? = nil) {
    self.init()
    notificationType = Open(rawValue: event.notificationType)
    subtype = event.subtype.map(Open.init(rawValue:))
    self.needs = needs
  }
}
