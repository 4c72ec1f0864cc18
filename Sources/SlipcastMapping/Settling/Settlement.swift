@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2

/// How the other messages of an archive settle the reading of one message.
package struct Settlement: Hashable, Sendable {
  /// A record that supports the reading.
  package struct Witness: Hashable, Sendable {
    /// The place of its source among the sources of the run.
    package var source: Int
    /// Its number in that source, from 1.
    package var record: Int

    package init(source: Int, record: Int) { (self.source, self.record) = (source, record) }
  }

  /// The chosen candidate; `nil` where the row's own reading is confirmed.
  package var candidate: Int?
  /// The facts that decide, as bits.
  package var facts: UInt64
  /// Records that show them, in the order of the archive.
  package var by: [Witness]
  /// A fact follows from the owner's word that the archive is complete.
  package var usesCompleteness: Bool
  /// Candidates that the archive contradicts, by their places; then none is chosen, or the only one that remains.
  package var disproved: UInt64 = 0
  /// The archive contradicts a documented reading, or supports two candidates; the reading stays.
  package var isContradicted: Bool
  /// The archive makes the readings of another row possible (`doubtedAs`): the candidates are those of that row.
  package var isDoubted = false

  /// The archive leaves several candidates, or names the only one that remains by what it rules out.
  package var isOpen: Bool { candidate == nil && (disproved != 0 || isDoubted) }

  package init(
    candidate: Int?, facts: UInt64, by: [Witness], usesCompleteness: Bool, isContradicted: Bool, disproved: UInt64 = 0
  ) {
    self.disproved = disproved
    (self.candidate, self.facts, self.by) = (candidate, facts, by)
    (self.usesCompleteness, self.isContradicted) = (usesCompleteness, isContradicted)
  }

  package var factNames: [String] { ArchiveFact.all(in: facts).map(\.name) }
}

/// What identifies a message between the two readings of an archive: redeliveries share it, other readings do not.
package struct SettlingKey: Hashable, Sendable {
  /// The id of the first event with the message's key, as two halves.
  package var high: UInt64
  package var low: UInt64
  /// The place of the deciding row in `RuleSet.types`.
  package var rule: Int
  /// Milliseconds since 1970 UTC.
  package var receivedAt: Int64?
}

extension Converter {
  /// Settles the next readings in a way that was decided beforehand; `nil`: each record is read alone.
  ///
  /// - Parameter decided: the settlement, and the place of the deciding row in `RuleSet.types` that it is for.
  package func settle(_ decided: (settlement: Settlement, rule: Int)?) {
    guard let (settlement, rule) = decided else {
      settled = nil
      return
    }
    settled = { $0.rule == rule ? settlement : nil }
  }

  /// The key of a notification; `nil` where nothing could settle its reading.
  private func settlingKey(_ known: KnownRecord, _ reading: EventReading?) -> SettlingKey? {
    guard let decision = reading?.decision, decision.isSettleable else { return nil }
    _ = builder.identity.uuid(of: known)
    let (high, low) = builder.identity.last
    return SettlingKey(high: high, low: low, rule: decision.number, receivedAt: known.receivedAt)
  }

  /// Applies what the other messages of the archive say about a reading.
  func settle(_ known: KnownRecord, _ reading: EventReading?) -> (known: KnownRecord, reading: EventReading?) {
    guard let settled, var reading, let key = settlingKey(known, reading), let settlement = settled(key) else {
      return (known, reading)
    }
    guard !settlement.isContradicted else {
      builder.note(.archiveContradicts, record.rows.slot(record.body, .notification_type))
      return (known, reading)
    }
    reading.settle(settlement)
    // The settled cancellation belongs to an upgrade, which takes nothing back; the row of a flat body does not state it.
    guard known.type.is(.afterUpgrade), let target = known.subject.target, reading.isAbsorbed,
      reading.named.event.subtype == Subtype.upgrade.rawValue
    else { return (known, reading) }
    return (known.upgrading(target), reading)
  }

  /// How the reading was settled; `nil` where the record alone decides.
  package var settlement: Settlement? { builder.reading?.settlement }
}
