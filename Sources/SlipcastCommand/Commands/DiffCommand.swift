import SlipcastBulk
import SlipcastComparison
import SlipcastDigest
import SlipcastMapping
import SlipcastReceipts
import SlipcastReports
import SlipcastSignatures
import SlipcastWire

/// `slipcast diff`: a legacy record and its V2 counterpart, field by field.
enum DiffCommand: Command {
  static let description = CommandDescription("diff", .compare, operands: .files)

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    let reports = try ReportFiles(arguments)
    let rules = try RuleOptions.rules(arguments)
    let (legacy, server) = try pair(arguments, rules)
    let trust = try PairTrust(legacy: legacy, server: server, arguments, rules, console)
    let lists = try arguments.all("ignore").map(ignoreList)
    let comparer = try RecordComparer(rules: rules, options: try RuleOptions.conversion(arguments))
    var comparison = try compare(legacy, server, with: comparer, verified: trust?.verified ?? [], arguments)
    if let trust {
      // What was found out takes the place of what was not looked at.
      comparison.notes.removeAll { $0.code == "unverified" }
      if arguments.has("require-verified"), let note = comparison.notes.first(where: { $0.code == "unsigned" }) {
        throw UncomparableError(message: note.message)
      }
      comparison.notes += trust.notes
    }
    comparison.strict = Set(arguments.all("strict").compactMap(DifferenceClass.init(rawValue:)))
    let now = Timestamp.now
    for list in lists { comparison = comparison.ignoring(list, now: now) }
    comparison.origin = ComparisonOrigin(
      legacy: [legacy.source], server: [server.source], options: GivenOptions.list(arguments),
      rules: ComparisonOrigin.Rules(version: Release.version, digest: rules.digest), made: ReportClock.milliseconds)
    try checkOptions(comparison, arguments)
    try reports.write(warnings: comparison.notes, console) { format, style, emit in
      if format == .json {
        try comparison.writeJSON(to: emit)
      } else {
        try emit(comparison.report(format, style: style))
      }
    }
    return comparison.verdict == .parity || arguments.has("exit-zero") ? .fine : .findings
  }

  /// Refuses options that are about a conversion where nothing is converted.
  private static func checkOptions(_ comparison: Comparison, _ arguments: Arguments) throws {
    guard !comparison.isFromVersion1 else { return }
    for name in ["received-at", "app-apple-id", "products", "storekit"] where arguments.has(name) {
      throw UsageError("--\(name) has no effect on \(comparison.legacy.name), which is version 2; leave it out")
    }
  }

  // MARK: what was given

  /// A file: its bytes, the record in them without encodings, and what is compared where that is a receipt.
  struct Input {
    var name: String
    var bytes: [UInt8]
    var record: [UInt8]
    var json: [UInt8]

    var source: ComparisonOrigin.Source {
      ComparisonOrigin.Source(
        name: name == "-" ? "standard input" : name, kind: name == "-" ? .stream : .file, records: 1,
        bytes: bytes.count,
        sha256: SHA256Stream.hexadecimal(of: bytes))
    }
  }

  private static func pair(_ arguments: Arguments, _ rules: RuleSet) throws -> (legacy: Input, server: Input) {
    let names = arguments.operands
    guard names.count == 2 else { throw UsageError("expected two files, LEGACY and SERVER, found \(names.count)") }
    guard (names + arguments.all("ignore")).count(where: { $0 == "-" }) < 2 else {
      throw UsageError("standard input can be read only once")
    }
    let (first, second) = (try Files.read(names[0]), try Files.read(names[1]))
    let opened = [first, second].map { LayeredBody.ofFile($0, limit: Files.longest) }
    guard (try? ReceiptText(opened[1])) == nil else {
      throw UncomparableError(
        message: "\(names[1]): expected a version 2 record, found a receipt, which is a version 1 record; if the two "
          + "are swapped, the legacy record comes first")
    }
    let json = try legacyJSON(opened[0], names[0], rules)
    return (
      Input(name: names[0], bytes: first, record: opened[0], json: json),
      Input(name: names[1], bytes: second, record: opened[1], json: opened[1])
    )
  }

  /// What verifyReceipt would have said of a receipt; anything else stays as it is.
  private static func legacyJSON(_ bytes: [UInt8], _ name: String, _ rules: RuleSet) throws -> [UInt8] {
    guard (try? ReceiptText(bytes)) != nil else { return bytes }
    do throws(Refusal) {
      return try ReceiptDecoder(rules: rules).answer(bytes)
    } catch {
      throw UncomparableError(message: "\(name): \(error)")
    }
  }

  private static func ignoreList(_ path: String) throws -> IgnoreList {
    let text = String(decoding: try Files.read(path), as: UTF8.self)
    do throws(IgnoreList.Fault) {
      return try IgnoreList(text, name: path)
    } catch {
      throw UsageError("\(path):\(error.line): \(error.message)")
    }
  }

  // MARK: comparing

  private static func compare(
    _ legacy: Input, _ server: Input, with comparer: RecordComparer, verified: Set<ComparisonError.Side>,
    _ arguments: Arguments
  ) throws -> Comparison {
    let receivedAt = try arguments.time("received-at").map(Timestamp.init(milliseconds:))
    do throws(ComparisonError) {
      return try comparer.compare(
        legacy: legacy.json, server: server.json, receivedAt: receivedAt, names: (legacy.name, server.name),
        storekit: arguments.has("storekit"), verified: verified)
    } catch {
      let input = error.side == .legacy ? legacy : server
      throw UncomparableError(message: "\(input.name)\(error.place(in: input.json)): \(error.message)")
    }
  }
}

/// Two records that could not be compared, in words.
struct UncomparableError: Error, CustomStringConvertible {
  var message: String
  var description: String { Console.harmless(message) }
}
