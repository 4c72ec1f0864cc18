import SlipcastBulk
import SlipcastSystem

/// What several commands say of their inputs.
enum InputOptions {
  /// The files of folders that are read without `--include`.
  static let recordNames =
    "names with an extension of JSON, CSV, TSV, base64 or archives (*.json, *.ndjson, *.csv, *.zip and so on)"

  static func tables(_ arguments: Arguments) throws -> TableOptions {
    var options = TableOptions()
    options.isCSV = arguments.has("csv")
    options.isLog = arguments.has("from-logs")
    options.bodyOfLog = try pointer(arguments, "body")?.tokens.last
    if options.isLog, options.isCSV || arguments.has("tsv") {
      throw UsageError("--from-logs reads lines of logs, not tables")
    }
    options.escaping = arguments.value("tsv")
    if options.isCSV, options.escaping != nil { throw UsageError("use --csv or --tsv, not both") }
    if let text = arguments.last("separator") {
      guard text.utf8.count == 1, let byte = text.utf8.first, byte != 0x22, byte != 0x0A, byte != 0x0D, byte > 0 else {
        throw UsageError("--separator is one character such as ';', and not a quote")
      }
      options.separator = byte
    }
    return options
  }

  /// Where rows have what.
  ///
  /// - Parameter prefix: of the options, where a command has them for two archives.
  static func pointers(_ arguments: Arguments, prefix: String = "") throws -> RowPointers {
    let pointers = RowPointers(
      body: try pointer(arguments, prefix + "body"), receivedAt: try pointer(arguments, prefix + "received-at"),
      id: try pointer(arguments, prefix + "id"))
    if pointers.id?.isSecret == true {
      throw UsageError("--\(prefix)id names the shared secret, which is never repeated")
    }
    return pointers
  }

  /// Where the record stands, as `--body` says.
  static func body(_ arguments: Arguments) throws -> JSONPointer? {
    guard let body = try pointer(arguments, "body") else { return nil }
    if body.isSecret { throw UsageError("--body names the shared secret, which is never shown") }
    return body
  }

  static func jobs(_ arguments: Arguments) throws(UsageError) -> Int {
    try arguments.number("jobs", 1...64) ?? min(Platform.processors, 64)
  }

  static func recordBytes(_ arguments: Arguments) throws(UsageError) -> Int? {
    try arguments.number("max-record", 1...1024).map { $0 << 20 }
  }

  /// The place that an option names: a JSON pointer, or the name of a member of the row.
  static func pointer(_ arguments: Arguments, _ name: String) throws -> JSONPointer? {
    guard let text = arguments.last(name) else { return nil }
    if let pointer = JSONPointer(text) { return pointer }
    // A path in another language, or one without its first slash, is not a name.
    let isName = text.allSatisfy { $0.isLetter || $0.isNumber || "_-.: ".contains($0) } && !text.hasPrefix(".")
    guard isName else {
      throw UsageError(
        "--\(name) is the name of a column or member such as payload, or a JSON pointer such as /payload/body, "
          + "not \"\(text)\"")
    }
    return JSONPointer("/" + text)
  }

  /// The sources that words name, or those of `--sources`; reports skipped files.
  ///
  /// In folders these are files of any name, or of the names of `--include`.
  ///
  /// - Parameter usual: the names of files that are read in folders where no pattern says it.
  static func sources(
    _ names: [String], _ arguments: Arguments, _ console: Console, usual: [String] = ["*"]
  ) throws -> [RecordSource] {
    if arguments.has("sources") { return try ConvertInputs(arguments, console).sources }
    let patterns = arguments.all("include")
    try InputUse.check(names, arguments)
    let found = try ConvertInputs.find(names, patterns, tables: tables(arguments), usual: usual)
    PassedOverWords.say(found.passedOver, arguments, console)
    if found.sources.isEmpty { throw nothingFound(names, patterns, readsAny: usual == ["*"]) }
    try FoundUse.check(names, found.files, arguments)
    return found.sources
  }

  /// Folders were given, and nothing in them is to be read: nothing was done, which must not look like success.
  ///
  /// - Parameter readsAny: without `--include` the command reads files of any name.
  static func nothingFound(_ names: [String], _ patterns: [String], readsAny: Bool = true) -> UsageError {
    let shown = patterns.isEmpty ? "" : " of the names of --include (\(patterns.joined(separator: ", ")))"
    let hint = patterns.isEmpty && !readsAny ? "; expected \(recordNames), or name others with --include" : ""
    return UsageError("no file\(shown) to read in \(names.map(InputFile.title).joined(separator: ", "))\(hint)")
  }
}

extension Arguments {
  /// The time that an option names, in milliseconds since 1970 UTC.
  func time(_ name: String) throws -> Int64? {
    guard let text = last(name) else { return nil }
    guard let time = StatedTime.milliseconds(text) else {
      throw UsageError("--\(name) is milliseconds or seconds since 1970, or ISO 8601, not \"\(text)\"")
    }
    return time
  }
}
