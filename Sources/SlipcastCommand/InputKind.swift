import SlipcastBulk
import SlipcastStores
import SlipcastSystem

/// What an input is, as far as options depend on it.
enum InputKind: CaseIterable {
  case json, csv, tsv
  /// A file without a known extension, or standard input.
  case other
  case folder, archive
  /// Rows of a database, and those of a store, which were converted before.
  case rows, store
  case journal

  init(_ name: String) throws {
    try ForeignLocation.check(name)
    if StoreLocation.isLocation(name) {
      self = try StoreLocation(name).isStore ? .store : .rows
      return
    }
    if name != "-", Platform.kind(name) == .folder {
      self = JournalMark.isPresent(in: name) ? .journal : .folder
      return
    }
    var name = name.lowercased()
    let archives = [".tar", ".tgz", ".tbz2", ".txz", ".zip"]
    for ending in [".gz", ".zst", ".xz", ".bz2"] where name.hasSuffix(ending) { name.removeLast(ending.count) }
    if archives.contains(where: { name.hasSuffix($0) }) {
      self = .archive
    } else if name.hasSuffix(".csv") {
      self = .csv
    } else if name.hasSuffix(".tsv") {
      self = .tsv
    } else {
      self = [".json", ".ndjson", ".jsonl"].contains { name.hasSuffix($0) } ? .json : .other
    }
  }

  /// In words, for messages.
  var words: String {
    switch self {
    case .json: "a JSON file"
    case .csv: "a CSV file"
    case .tsv: "a TSV file"
    case .other: "no table"
    case .folder: "a folder"
    case .archive: "an archive"
    case .rows: "rows of a database"
    case .store: "a store"
    case .journal: "a journal of slipcast serve"
    }
  }
}

/// The options that act on some kinds of inputs only: each acts on one of the given inputs, or is refused.
enum InputUse {
  /// The kinds that an option acts on; options that are not listed act on all.
  private static let kinds: [String: [InputKind]] = [
    "include": [.folder, .archive, .other],
    "csv": [.csv, .other, .folder, .archive],
    "separator": [.csv, .other, .folder, .archive],
    "tsv": [.tsv, .other, .folder, .archive],
    "from-logs": [.json, .other, .folder, .archive],
    "body": InputKind.allCases.filter { $0 != .store },
    "received-at": InputKind.allCases.filter { $0 != .store },
    "id": InputKind.allCases.filter { $0 != .store },
    "max-record": InputKind.allCases.filter { $0 != .store },
  ]

  /// What a command that reads a store as it is does not do.
  private static let conversions = [
    "products", "rejects", "rejects-raw", "jobs", "exit-zero", "sources",
  ]

  /// - Parameters:
  ///   - names: the inputs, as the command line names them.
  ///   - prefix: of the options, where a command has them for two archives.
  ///   - options: the options that are for these inputs.
  ///   - readsStores: the command reads a store as it is.
  static func check(
    _ names: [String], _ arguments: Arguments, prefix: String = "", only options: [String]? = nil,
    readsStores: Bool = false
  ) throws {
    let given = try names.map(InputKind.init)
    guard let first = given.first else { return }
    for (option, kinds) in kinds.sorted(by: { $0.key < $1.key }) {
      guard options?.contains(option) ?? true, arguments.has(prefix + option), !given.contains(where: kinds.contains)
      else { continue }
      throw refusal(prefix + option, names[0], first)
    }
    if arguments.has("separator"), !arguments.has("csv"), options?.contains("separator") ?? true,
      given.allSatisfy({ $0 == .other || $0 == .json || $0 == .tsv })
    {
      throw UsageError("--separator is for CSV: name the file .csv, or add --csv")
    }
    guard readsStores, given == [.store], let option = conversions.first(where: { arguments.has($0) }) else { return }
    throw refusal(option, names[0], .store)
  }

  /// Whether an option may act on inputs of a kind.
  static func acts(_ option: String, on kind: InputKind) -> Bool { kinds[option]?.contains(kind) ?? true }

  private static func refusal(_ option: String, _ name: String, _ kind: InputKind) -> UsageError {
    guard kind != .store else {
      let name = Console.harmless(Databases.withoutPassword(InputFile.title(name)))
      return UsageError(
        "--\(option) does not go with the store \(name): its records were converted before; leave it out")
    }
    return refusal(option, name, kind.words)
  }

  /// - Parameter words: what the input is.
  static func refusal(_ option: String, _ name: String, _ words: String) -> UsageError {
    let name = Console.harmless(Databases.withoutPassword(InputFile.title(name)))
    return UsageError("--\(option) has no effect on \(name), which is \(words); leave it out")
  }
}
