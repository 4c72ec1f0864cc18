/// Chooses the places of the record, of its time and of the row's id from what the first rows have.
///
/// A place is chosen where it is the only one that fits nearly all rows, or the only one with a fitting name. A person
/// chooses anything else. Rows that are exceptions, and places that only look meant for it, are in the notes.
struct ColumnChoice {
  private let profile: SourceProfile
  private(set) var options: [ReadingOption] = []
  private(set) var choices: [Detection.Choice] = []
  private(set) var notes: [String] = []

  init(_ profile: SourceProfile) {
    self.profile = profile
    let body = chooseBody()
    let isRow = !body.isEmpty || profile.whole.recordCount == 0
    let others = profile.columns.filter { column in
      column.recordCount == 0 && !column.pointer.isSecret && !body.contains { column.pointer.isInside($0) }
    }
    choose(.time(isRow: isRow), others)
    // Parts of a record have unique values too.
    if isRow { choose(.id, others) }
  }

  // MARK: the record

  private mutating func chooseBody() -> [JSONPointer] {
    let columns = profile.columns.filter { $0.recordCount > 0 && !$0.pointer.isSecret }
    let messages = columns.filter(\.hasNotifications)
    // A row with the type of its message in a column looks like a record itself.
    if profile.whole.recordCount > 0, messages.isEmpty { return [] }
    let answers = columns.filter { $0.records.keys.contains { $0.isAnswer } }
    let candidates = !messages.isEmpty ? messages : !answers.isEmpty ? answers : columns
    guard let first = candidates.max(by: { $0.recordCount < $1.recordCount }) else { return [] }
    let all = candidates.reduce(0) { $0 + $1.recordCount }
    guard candidates.count == 1 || first.recordCount.isNearlyAll(of: all) else {
      choices.append(Detection.Choice("body", candidates.map(\.pointer.optionValue)))
      return candidates.map(\.pointer)
    }
    options.append(ReadingOption("body", first.pointer.optionValue))
    noteBody(first, beside: candidates, of: columns)
    return candidates.map(\.pointer)
  }

  /// Names the rows without a record in the chosen column, and the other columns with records.
  private mutating func noteBody(_ chosen: ColumnProfile, beside candidates: [ColumnProfile], of all: [ColumnProfile]) {
    let name = chosen.pointer.optionValue
    if chosen.recordCount < profile.rows {
      notes.append("\(name) has a record in \(chosen.recordCount) of \(profile.rows) rows")
    }
    let rest = all.filter { $0.pointer != chosen.pointer && !$0.pointer.isInside(chosen.pointer) }
    for other in rest where candidates.contains(where: { $0.pointer == other.pointer }) {
      notes.append("\(other.pointer.optionValue) has one in \(other.recordCount), which --body \(name) does not read")
    }
    let parts = rest.filter { column in !candidates.contains { $0.pointer == column.pointer } }
    guard !parts.isEmpty else { return }
    let names = parts.map(\.pointer.optionValue).joined(separator: ", ")
    notes.append("\(names): records too, but \(name) has the whole messages")
  }

  // MARK: what is next to it

  private mutating func choose(_ use: ColumnUse, _ others: [ColumnProfile]) {
    let fitting = others.filter { use.fits($0, profile.rows) }
    let named = fitting.filter(use.isPreferred)
    let complete = fitting.filter { use.isComplete($0, profile.rows) }
    let chosen = named.count == 1 ? named[0] : fitting.count == 1 ? fitting[0] : nil
    if let chosen {
      note(chosen, for: use, beside: fitting.filter { $0.pointer != chosen.pointer })
    } else if use.prefersComplete, complete.count == 1 {
      note(complete[0], for: use, beside: [])
    } else if !fitting.isEmpty {
      let best = use.prefersComplete && !complete.isEmpty ? complete : fitting
      choices.append(Detection.Choice(use.option, best.map(\.pointer.optionValue)))
    }
    for column in others where !use.fits(column, profile.rows) {
      guard fitting.isEmpty || use.isPreferred(column) && named.isEmpty,
        let reason = use.reason(column, profile.rows)
      else { continue }
      notes.append("--\(use.option) \(column.pointer.optionValue) is not chosen: it has \(reason)")
    }
  }

  private mutating func note(_ chosen: ColumnProfile, for use: ColumnUse, beside rest: [ColumnProfile]) {
    let name = chosen.pointer.optionValue
    options.append(ReadingOption(use.option, name))
    if !rest.isEmpty {
      let names = rest.map(\.pointer.optionValue).joined(separator: ", ")
      notes.append("--\(use.option) \(name) is chosen by its name; \(names): \(use.what) too")
    }
    if !use.isComplete(chosen, profile.rows) { notes.append("\(name) has \(use.count(chosen, profile.rows))") }
  }
}

extension RecordContent {
  /// The answer that a receipt is sent for, and not the receipt.
  fileprivate var isAnswer: Bool {
    [RecordKind.verifyReceipt, .history, .statuses, .answer].contains { $0.rawValue == kind }
  }
}

extension JSONPointer {
  fileprivate func isInside(_ outer: JSONPointer) -> Bool { tokens.starts(with: outer.tokens) }
}
