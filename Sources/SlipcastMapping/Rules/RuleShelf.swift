/// The families of rules that few runs need.
///
/// The rules of the program are read family by family, at the first use of each: to read them all takes more than half of
/// the instructions of a start. With a user's own rules everything was read, and checked, before.
final class RuleShelf: Sendable {
  enum Family: Int, CaseIterable {
    case sources, facts, grouping, comparing, storekit, values, words
    case archiveFacts, serverEvents, receiptAttributes, inverse, types

    /// What its files are called, or their folder.
    var name: String { Self.names[rawValue] }

    private static let names = [
      "sources", "facts", "grouping", "comparing", "storekit", "values", "words",
      "archive-facts", "server-events", "receipt-attributes", "verify-receipt", "notification-types",
    ]

    /// The family of a file; `nil` for files that are read at every start.
    init?(of file: RuleFile) {
      guard let number = Self.names.firstIndex(of: file.family) else { return nil }
      self.init(rawValue: number)
    }
  }

  private let families = Family.allCases.map { _ in Later<ReadRules>() }
  /// What all files together say, where they were read at once.
  private let whole: Later<ReadRules>.Made?
  private let windows: WindowWords?
  /// The built-in files of the decision table.
  private let decisionFiles: [DecisionFile]

  /// Rules that were read at once.
  init(_ whole: ReadRules) { (self.whole, windows, decisionFiles) = (Later.Made(whole), nil, []) }

  /// The built-in rules.
  init(_ decisionFiles: [DecisionFile], _ windows: WindowWords) {
    (whole, self.windows, self.decisionFiles) = (nil, windows, decisionFiles)
  }

  /// What the files of a family say.
  func read(_ family: Family) -> Later<ReadRules>.Made { whole ?? families[family.rawValue].made { readNow(family) } }

  /// Families that were used.
  var asked: [Family] { Family.allCases.filter { whole != nil || families[$0.rawValue].isMade } }

  private func readNow(_ family: Family) -> ReadRules {
    guard family != .types else { return united() }
    var read = ReadRules()
    for file in RuleCatalog.files where file.family == family.name { file.read(into: &read) }
    if let windows { read.fillIn(windows) }
    return read
  }

  // MARK: the decision table

  /// A row of the decision table, with its place in the whole table.
  typealias Row = (place: Int, rule: TypeRule)

  /// The rows about a V1 type and those about all others, in the order of the table.
  func rows(about type: String) -> [Row] {
    func isAbout(_ name: String) -> Bool { name == type || name == LegacyTypeEntry.anyOther }
    guard let whole else {
      return decisionFiles.filter { isAbout($0.type) }.flatMap { file in
        zip(file.start..., file.rows(windows).types).map { (place: $0, rule: $1) }
      }
    }
    let types = whole.value.types
    return types.indices.filter { isAbout(types[$0].type) }.map { (place: $0, rule: types[$0]) }
  }

  private func united() -> ReadRules {
    var read = ReadRules()
    for file in decisionFiles {
      let rows = file.rows(windows)
      read.types += rows.types
      read.add(users: rows.windowUsers)
    }
    return read
  }
}
