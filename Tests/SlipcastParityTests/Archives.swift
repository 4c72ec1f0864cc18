import Foundation
import SlipcastBulk
import SlipcastComparison
import SlipcastMapping
import SlipcastParity
import SlipcastTestSupport
import SlipcastWire

/// Two small archives on disk, and what parity makes of them.
struct Archives {
  var legacy: [String] = []
  var server: [String] = []

  static let rules = BuiltIn.rules

  private static let shared = RecordComparer(prepared: LegacyConverter.PreparedRules(rules: rules))

  /// One for all tests: a comparer can be shared, and compiling rules takes long.
  static func comparer() -> RecordComparer { shared }

  /// A case of `Fixtures/pairs`: the V1 record and the V2 record of one event.
  mutating func add(pair name: String) throws {
    let fixture = Fixture.named("pairs/\(name)")
    legacy.append(try Self.line(fixture, "v1.json"))
    server.append(try Self.line(fixture, "v2.json"))
  }

  /// A record of the fixtures on one line.
  static func line(_ fixture: Fixture, _ file: String) throws -> String {
    try fixture.text(file).split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined()
  }

  static func compare(_ legacy: [String], _ server: [String]) async throws -> ParityResult {
    try await Archives(legacy: legacy, server: server).compare()
  }

  func compare(
    jobs: Int = 1, baseline: [KnownDifference]? = nil, missing: [KnownEvent] = [], strict: Set<DifferenceClass> = [],
    serverBody: String? = nil,
    legacyBody: String? = nil, receivedAt: String? = nil, asOf: Int64? = nil, rules: RuleSet? = nil
  ) async throws -> ParityResult {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let paths = ["v1.ndjson", "v2.ndjson"].map { folder.path($0) }
    for (path, lines) in zip(paths, [legacy, server]) {
      try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: path))
    }
    var convert = ConvertOptions()
    convert.jobs = jobs
    var server = convert
    // Rows with a received time have the record beside it.
    convert.receivedAt = receivedAt.flatMap { JSONPointer($0) }
    if receivedAt != nil { convert.body = JSONPointer("/body") }
    if let legacyBody { convert.body = JSONPointer(legacyBody) }
    server.body = serverBody.flatMap { JSONPointer($0) }
    var options = ParityOptions(legacy: convert, server: server)
    options.tally.baseline = baseline.map {
      Baseline(name: "known.json", differences: $0, events: missing, now: Timestamp(milliseconds: 0))
    }
    options.tally.strict = strict
    options.tally.asOf = asOf
    let sources = paths.map { RecordSource.file(InputFile(path: $0)) }
    return try await ParityRun(rules: rules ?? Self.rules, options: options).compare(
      legacy: [sources[0]], server: [sources[1]], onReject: { _ in }, watch: { _ in true })
  }
}
