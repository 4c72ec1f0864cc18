/// Chooses the places of the record, of its time and of the row's id from what the first rows have.
///
/// A place is chosen where it is the only one that fits, or the only one with a fitting name. A person chooses
/// anything else.
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
    choose(
      "received-at", others.filter { $0.holdsTimes(in: profile.rows) && (isRow || Self.isTimeOfReceipt($0)) },
      preferred: Self.isTimeOfReceipt, what: "times")
    // Parts of a record have unique values too.
    guard isRow else { return }
    choose(
      "id", others.filter { $0.isUnique(in: profile.rows) && $0.times == 0 && Self.isID($0) },
      preferred: { $0.pointer.tokens.count == 1 && ["id", "_id"].contains($0.pointer.tokens[0].lowercased()) },
      what: "unique values")
  }

  // MARK: the record

  private mutating func chooseBody() -> [JSONPointer] {
    let columns = profile.columns.filter { $0.recordCount > 0 && !$0.pointer.isSecret }
    let messages = columns.filter(\.hasNotifications)
    // A row with the type of its message in a column looks like a record itself.
    if profile.whole.recordCount > 0, messages.isEmpty { return [] }
    let answers = columns.filter { $0.records.keys.contains { $0.isAnswer } }
    let candidates = !messages.isEmpty ? messages : !answers.isEmpty ? answers : columns
    guard let first = candidates.first else { return [] }
    let values = candidates.map(\.pointer.optionValue)
    guard candidates.count == 1 else {
      choices.append(Detection.Choice("body", values))
      return candidates.map(\.pointer)
    }
    options.append(ReadingOption("body", values[0]))
    if first.recordCount < profile.rows {
      notes.append("\(values[0]) has a record in \(first.recordCount) of \(profile.rows) rows")
    }
    let rest = columns.map(\.pointer).filter { $0 != first.pointer && !$0.isInside(first.pointer) }
    if !rest.isEmpty {
      notes.append(
        "\(rest.map(\.optionValue).joined(separator: ", ")): records too, but \(values[0]) has the whole messages")
    }
    return [first.pointer]
  }

  // MARK: what is next to it

  private mutating func choose(
    _ option: String, _ candidates: [ColumnProfile], preferred: (ColumnProfile) -> Bool, what: String
  ) {
    guard let first = candidates.first else { return }
    let values = candidates.map(\.pointer.optionValue)
    if candidates.count == 1 {
      options.append(ReadingOption(option, first.pointer.optionValue))
      return
    }
    let named = candidates.filter(preferred)
    guard named.count == 1 else {
      choices.append(Detection.Choice(option, values))
      return
    }
    let chosen = named[0].pointer.optionValue
    options.append(ReadingOption(option, chosen))
    let rest = values.filter { $0 != chosen }.joined(separator: ", ")
    notes.append("--\(option) \(chosen) is chosen by its name; \(rest): \(what) too")
  }

  private static func isTimeOfReceipt(_ column: ColumnProfile) -> Bool {
    column.pointer.tokens.last?.lowercased().contains("receiv") ?? false
  }

  /// The name says that it is an id: `id`, `message_id`, `messageId`, `uuid`, `pk`.
  private static func isID(_ column: ColumnProfile) -> Bool {
    guard let name = column.pointer.tokens.last else { return false }
    let lower = name.lowercased()
    return ["id", "uuid", "guid", "key", "pk"].contains(lower)
      || ["_id", "-id", ".id", "_uuid", "_key", "_pk"].contains(where: lower.hasSuffix)
      || ["Id", "ID", "Uuid", "UUID", "Key"].contains(where: name.hasSuffix)
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
