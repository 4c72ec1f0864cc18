@_spi(Slipcast) internal import SlipcastWire

/// The period that the conditions of an archive fact are about.
enum FactPeriod: String, CaseIterable, Sendable {
  /// No period.
  case none
  /// The event's, with what all messages show of it.
  case own
  /// The event's, as its own message shows it.
  case told
  /// The event's, with the cancellation that its own message shows: an upgraded one may be refunded later.
  case cancelled
  /// The newest period of the message.
  case newest
  /// The period before the event's own, as a list shows it that has both.
  case before
  /// The last period that any message shows before the event's own.
  case last
  /// The purchase that follows the event's own period in a list that marks this one as upgraded; that follows it in any
  /// record, where no list shows it.
  case next, nextUnlisted
}

/// The message that shows a fact.
enum FactNeighbour: String, CaseIterable, Sendable {
  /// Any other message, any message.
  case other, any
  /// The last one that states a change of auto-renew in the period before the event, where it turned it off.
  case lastOff
  /// The next change of auto-renew.
  case nextChange
  /// The first one that shows the renewal of the period, or that it failed.
  case renewal
  /// The first one received that was written after the event's action and shows the period with auto-renew on.
  case stillOn
  /// One that states that the customer had ended the period by the event.
  case ended
  /// The last one of the period received before the event's, with its renewal entry; so long before that it is older.
  case latest, earlier
  /// The last one of the period received before the event's that names the product of the next period.
  case lastChoice
  /// The first one of the period received after the event's that names the product of the next period; where there is
  /// none, one that shows how the period was renewed.
  case following

  /// Only some neighbours are found by a period.
  var needsPeriod: Bool { ![.other, .any, .nextChange].contains(self) }
  /// It shows a state for a certain time.
  var hasTime: Bool { ![.other, .any, .lastChoice, .following].contains(self) }
}

/// The conditions of an archive fact; all of them must hold.
package struct ArchiveFactRow: Sendable {
  /// A message that fulfills conditions.
  struct Witness: Sendable {
    var neighbour = FactNeighbour.other
    var shows: [any MessageCondition] = []
  }

  /// The period that they are about.
  var period = FactPeriod.own
  /// Conditions of the event and the period.
  var when: [any EventCondition] = []
  /// Messages that must be there; conditions compare with the first one.
  var witnesses: [Witness] = []
  /// Conditions of which no other message may fulfill all of one list.
  var none: [[any MessageCondition]] = []
  /// Conditions of which a period of the subscription must fulfill all of one list.
  var anyPeriod: [[any PeriodTest]] = []
  /// Conditions of which no period of the subscription may fulfill all of one list.
  var noPeriod: [[any PeriodTest]] = []
  /// The time of which no message may be missing.
  var complete: FactRange?

  static let members = ["period", "when", "neighbour", "shows", "and", "none", "anyPeriod", "noPeriod", "complete"]

  /// The rows of an entry, its own and those of `or`; `nil` where a name is unknown, which the entry reports.
  static func all(of entry: RuleEntry) -> [ArchiveFactRow]? {
    let others = entry.element["or"]?.children ?? []
    for member in others.flatMap(\.children) where !members.contains(member.name) {
      entry.fault("unknown key \"\(member.name)\"; expected one of \(members.joined(separator: ", "))", in: member)
    }
    let elements = [entry.element] + others
    let rows = elements.compactMap { ArchiveFactRow(RowElement(own: $0, shared: entry.element), entry) }
    return rows.count == elements.count ? rows : nil
  }

  private init?(_ element: RowElement, _ entry: RuleEntry) {
    guard let period = entry.word(element["period"], FactPeriod.own, "a period of a fact"),
      let when = entry.conditions(element["when"], ArchiveVocabulary.event),
      let witness = Witness(element.witness, entry),
      let none = entry.alternatives(element["none"], ArchiveVocabulary.message),
      let anyPeriod = entry.alternatives(element["anyPeriod"], ArchiveVocabulary.period),
      let noPeriod = entry.alternatives(element["noPeriod"], ArchiveVocabulary.period)
    else { return nil }
    (self.period, self.when, self.none) = (period, when, none)
    (self.anyPeriod, self.noPeriod) = (anyPeriod, noPeriod)
    if witness.neighbour != .other || !witness.shows.isEmpty { witnesses = [witness] }
    if let more = element["and"] {
      guard let more = Witness(more, entry) else { return nil }
      witnesses.append(more)
    }
    guard let range = element["complete"] else { return }
    guard let range = FactRange(range, entry) else { return nil }
    complete = range
  }

  /// The message that conditions compare with shows a state for a certain time.
  var hasTimedNeighbour: Bool { witnesses.first?.neighbour.hasTime ?? false }

  /// The members as `explain` shows them.
  var described: [(label: String, text: String)] {
    func joined(_ lists: [[String]]) -> String {
      lists.map { $0.joined(separator: " + ") }.joined(separator: ", ")
    }
    var lines = [("period", period.rawValue), ("when", joined(when.map { [$0.rawValue] }))]
    for witness in witnesses {
      if witness.neighbour != .other { lines.append(("neighbour", witness.neighbour.rawValue)) }
      lines.append(("shows", joined(witness.shows.map { [$0.rawValue] })))
    }
    lines += [
      ("any period", joined(anyPeriod.map { $0.map { $0.rawValue } })),
      ("no period", joined(noPeriod.map { $0.map { $0.rawValue } })),
      ("none", joined(none.map { $0.map { $0.rawValue } })),
    ]
    return lines + [("complete", complete?.text ?? "")]
  }

  var isEmpty: Bool {
    when.isEmpty && witnesses.isEmpty && none.isEmpty && anyPeriod.isEmpty && noPeriod.isEmpty
  }
}

/// A row of `or` has the members of its entry that it does not state itself.
private struct RowElement {
  let own: JSONElement
  let shared: JSONElement

  subscript(_ member: String) -> JSONElement? { own[member] ?? shared[member] }

  /// Which message shows the fact, and what it shows, go together.
  var witness: JSONElement { own["neighbour"] != nil || own["shows"] != nil ? own : shared }
}

extension ArchiveFactRow.Witness {
  fileprivate init?(_ element: JSONElement, _ entry: RuleEntry) {
    guard let neighbour = entry.word(element["neighbour"], FactNeighbour.other, "a message that shows a fact"),
      let shows = entry.conditions(element["shows"], ArchiveVocabulary.message)
    else { return nil }
    (self.neighbour, self.shows) = (neighbour, shows)
  }
}

extension RuleEntry {
  /// The usual word where a value is left out; `nil` where it is unknown, which is reported.
  fileprivate func word<Word: CaseIterable & RawRepresentable<String>>(
    _ value: JSONElement?, _ usual: Word, _ what: String
  ) -> Word? {
    guard let value else { return usual }
    if let word = value.string.flatMap(Word.init(rawValue:)) { return word }
    fault("\"\(value.string ?? "")\" is not \(what) (\(words(Word.self)))", in: value)
    return nil
  }

  /// The conditions that a value names; `nil` where one is unknown, which is reported with those that exist.
  fileprivate func conditions<Condition>(_ value: JSONElement?, _ known: ConditionNames<Condition>) -> [Condition]? {
    alternatives(value, known)?.flatMap(\.self)
  }

  /// The lists of conditions that a value names, those of one list joined by ` + `.
  fileprivate func alternatives<Condition>(
    _ value: JSONElement?, _ known: ConditionNames<Condition>
  ) -> [[Condition]]? {
    guard let value else { return [] }
    guard value.kind == .array, value.children.allSatisfy({ $0.string != nil }) else {
      fault("expected an array of strings", in: value)
      return nil
    }
    var isKnown = true
    let found = value.children.map { item in
      ArchiveFact.names(in: item.string ?? "").compactMap { name -> Condition? in
        if let condition = known[name] { return condition }
        isKnown = false
        let hint = RuleCheck.suggestion(name, known.names)
        fault("\"\(name)\" is not \(known.what) (\(known.names.joined(separator: ", ")))\(hint)", in: item)
        return nil
      }
    }
    return isKnown ? found : nil
  }
}
