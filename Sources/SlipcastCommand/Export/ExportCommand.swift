import SlipcastBulk
import SlipcastMapping
import SlipcastOutlets
import SlipcastStores
import SlipcastSystem
@_spi(Slipcast) import SlipcastWire

/// `slipcast export`: the file that another provider imports.
enum ExportCommand: Command {
  static let description = CommandDescription("export", .convert, operands: .files)

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    let name = try arguments.required("for", "the provider: \(ExportFormat.names.joined(separator: ", "))")
    let format = try ExportFormat(named: name)
    let to = try arguments.required("to", "the file to write")
    let endings = format.form == .csv ? ["csv"] : ConvertTarget.endingsOfLines
    try ConvertTarget.checkFile(to, endings: endings)
    let policy = try TrustOptions.policy(arguments)
    let rules = try RuleOptions.rules(arguments)
    let inputs = try ConvertInputs(arguments, console)
    try await InputNames.check(inputs.sources, arguments, among: ["body", "received-at"])
    let users = try await users(arguments, rules)
    let output = try open(to)
    let missing = try arguments.last("missing").map { try open($0) }
    Interruption.watch()
    let began = Platform.seconds()
    let progress = inputs.progress(arguments, console)
    let words = RejectWords(arguments, console, progress)
    let rejects = try arguments.last("rejects").map { try open($0) }
    let all = inputs.sources.totalBytes
    let book = try SubscriptionBook(keepsReceipts: format.needsReceipts)
    let (end, counts) = try await book.read(
      inputs.sources, policy, rules: rules, options: try options(arguments),
      onReject: { reject in
        words.say(reject)
        try reject.withLine { try rejects?.write($0, part: .whole) }
      },
      watch: { records, bytes in
        progress.update(Stage(share: all.map { (Double(bytes), Double($0)) }, count: records.read))
        return !Interruption.isAsked
      })
    progress.makeRoom()
    if end == .interrupted { return .failed }
    if !arguments.has("quiet") { words.sayRemaining() }
    var run = ExportRun(format, users: users, environments: arguments.value("environment") ?? .production)
    let result = try run.write(
      book, to: { try output.write($0, part: .whole) }, missing: { try missing?.write($0, part: .whole) })
    for file in [output, missing, rejects] { try file?.finish() }
    if !arguments.has("quiet") {
      console.close(table(result, counts, untrusted: book.untrusted, seconds: Platform.seconds() - began))
      try sayWhatStoresLack(arguments.operands, console)
    }
    return counts.rejected + book.untrusted == 0 ? .fine : .findings
  }

  /// A store keeps of a V1 message the transaction of its event; its lists of purchases have more.
  private static func sayWhatStoresLack(_ names: [String], _ console: Console) throws {
    for name in names where try InputKind(name) == .store {
      guard try Store.reader(StoreLocation(name))?.has(.v1) == true else { continue }
      console.say(
        "slipcast: \(Console.harmless(Databases.withoutPassword(name))) has one transaction of each V1 message and not its "
          + "list of purchases: what only lists show is in the archive that filled it, which export also reads\n")
    }
  }

  /// Only its owner can read it: it holds the ids of customers.
  private static func open(_ path: String) throws -> any LineOutput {
    path == "-" ? StreamOutput() : try FileOutput(path)
  }

  private static func options(_ arguments: Arguments) throws -> ConvertOptions {
    var options = ConvertOptions()
    options.conversion = try RuleOptions.conversion(arguments)
    options.pointers = try InputOptions.pointers(arguments)
    options.jobs = min(Platform.processors, 64)
    options.keepsRejects = arguments.has("rejects")
    options.recordBytes = try InputOptions.recordBytes(arguments) ?? options.recordBytes
    return options
  }

  private static func users(_ arguments: Arguments, _ rules: RuleSet) async throws -> ExportUsers {
    guard let path = arguments.last("users") else { return ExportUsers() }
    var file = InputFile(path: path)
    file.table.isCSV = true
    var (fault, unread): (ExportUsers.Fault?, FileError?)
    // The names of its columns are known, so that only one separator can be right.
    for separator in file.isStream ? "," : ",;\t|" {
      file.table.separator = separator.asciiValue
      do {
        var users = ExportUsers()
        try await users.read(.file(file, patterns: []), rules: rules)
        return users
      } catch let error as ExportUsers.Fault {
        fault = fault ?? error
      } catch let error as FileError where error.number == 0 {
        unread = unread ?? error
      }
    }
    if let unread, fault == nil { throw unread }
    throw UsageError("--users \(path), \(fault.map { "\($0)" } ?? "expected a table")")
  }

  private static func table(
    _ result: ExportRun.Counts, _ counts: RunCounts, untrusted: Int, seconds: Double
  ) -> String {
    var rows = [("read", counts.read), ("rejected", counts.rejected)]
    if untrusted > 0 { rows.append(("not trusted", untrusted)) }
    rows += [("subscriptions", result.subscriptions), ("rows", result.rows), ("missing", result.missingCount)]
    for reason in ExportReason.allCases {
      if let count = result.missing[reason] { rows.append(("  \(reason.rawValue)", count)) }
    }
    if result.purchases > 0 { rows.append(("other purchases", result.purchases)) }
    if result.otherPurchases > 0 { rows.append(("other purchases left out", result.otherPurchases)) }
    if result.unusedUsers > 0 { rows.append(("users without a subscription", result.unusedUsers)) }
    let texts = rows.map { ($0.0, $0.1.grouped) } + [("seconds", ClosingTable.decimal(seconds, 3))]
    return ClosingTable.lines(texts).map { $0 + "\n" }.joined()
  }
}
