import SlipcastBulk
import SlipcastComparison
import SlipcastMapping
import SlipcastParity
import SlipcastSystem
import SlipcastWire

/// Compares two archives for whichever command asks for it.
struct ParityJob {
  let rules: RuleSet
  let inputs: ParityInputs
  var options: ParityOptions
  private let baseline: Baseline?

  init(_ arguments: Arguments, baseline: Baseline?) throws {
    self.baseline = baseline
    rules = try RuleOptions.rules(arguments)
    let legacy = try ConvertCommand.options(arguments)
    var server = legacy
    server.pointers = try InputOptions.pointers(arguments, prefix: "server-")
    inputs = try ParityInputs(arguments)
    try SettleOptions.check(arguments)
    options = ParityOptions(legacy: legacy, server: server)
    options.names = inputs.names
    options.tally.strict = Set(arguments.all("strict").compactMap(DifferenceClass.init(rawValue:)))
    options.tally.baseline = baseline
    options.tally.isSameSpan = arguments.has("same-span")
    options.tally.now = Timestamp.now
    options.tally.asOf = try arguments.time("as-of")
    options.whole = try Self.whole(arguments)
    options.given = GivenOptions.list(arguments)
  }

  /// The archives of which the inputs are parts; `nil` where they are the archives.
  private static func whole(_ arguments: Arguments) throws -> WholeArchives? {
    let names = ["covers", "server-covers"]
    let given = names.filter(arguments.has)
    guard given.count == names.count else {
      guard let one = given.first, let other = names.first(where: { $0 != one }) else { return nil }
      throw UsageError("--\(one) needs --\(other): parts of both archives are compared")
    }
    let times = try names.map { name in
      guard let text = arguments.last(name), text != "none" else { return ClosedRange<Int64>?.none }
      return try TimeRange.read(text, of: name)
    }
    return WholeArchives(legacy: times[0], server: times[1])
  }

  func gates(_ arguments: Arguments) throws -> ParityGates {
    var gates = ParityGates()
    gates.isOfPart = options.whole != nil
    (gates.strict, gates.baseline) = (options.tally.strict, baseline)
    gates.agreements = try arguments.all("min-agreement").map { text in
      guard let gate = AgreementGate(text) else {
        throw UsageError(
          "--min-agreement is a share with its percent sign, such as 99.9%, or PATH=99.9%, not \"\(text)\"")
      }
      return gate
    }
    gates.maxRejects = try Self.limit("max-rejects", arguments)
    gates.maxMissing = try Self.limit("max-missing", arguments)
    gates.maxMissingRefunds = try arguments.number("max-missing-refunds", 0...Int.max) ?? 0
    gates.maxAccessChanges = try arguments.number("max-access-changes", 0...Int.max) ?? 0
    gates.maxEndChanges = try Self.limit("max-end-changes", arguments)
    return gates
  }

  private static func limit(_ name: String, _ arguments: Arguments) throws -> EventLimit? {
    guard let text = arguments.last(name) else { return nil }
    guard let limit = EventLimit(text) else {
      throw UsageError("--\(name) is a number or a share such as 0.5%, not \"\(text)\"")
    }
    return limit
  }

  /// Compares; rejects go where the command line says.
  ///
  /// - Parameter hasVerdict: the exit status is the result, so a reader of the rejects may stop reading.
  func run(_ arguments: Arguments, _ console: Console, hasVerdict: Bool = false) async throws -> ParityResult {
    PassedOverWords.say(inputs.passedOver, arguments, console)
    try await InputNames.check(inputs.legacy, arguments)
    try await ConversionUse.check(inputs.legacy, arguments, of: ["app-apple-id", "products", "settle"])
    try await InputNames.check(inputs.server, arguments, prefix: "server-")
    let progress = Progress(arguments, writesLines: false, console)
    let words = RejectWords(arguments, console, progress)
    let rejects = try RejectFile(arguments, hasVerdict: hasVerdict)
    Interruption.watch()
    var options = options
    for side in [\ParityOptions.legacy, \.server] {
      options[keyPath: side].keepsRejects = arguments.has("rejects")
      options[keyPath: side].keepsRawRejects = arguments.has("rejects-raw")
    }
    if arguments.has("settle") {
      options.legacy.settled = try await SettleOptions.settle(
        inputs.legacy, rules, options.legacy, with: arguments, progress: progress)
    }
    let stages = ParityStages(legacy: inputs.legacy.totalBytes, server: inputs.server.totalBytes)
    let result: ParityResult
    do {
      result = try await ParityRun(rules: rules, options: options).compare(
        legacy: inputs.legacy, server: inputs.server,
        onReject: { reject in
          var reject = reject
          reject.source = InputFile.title(reject.source)
          words.say(reject)
          try rejects?.write(reject)
        },
        watch: { now in
          progress.update(stages.stage(now))
          return !Interruption.isAsked
        })
    } catch is ParityInterruption {
      progress.makeRoom()
      throw Interrupted()
    }
    progress.makeRoom()
    try rejects?.finish()
    if !arguments.has("quiet") { words.sayRemaining() }
    if options.whole == nil {
      try Self.checkReading(result.legacy, rejected: result.pairs.rejected.legacy)
      try Self.checkReading(result.server, rejected: result.pairs.rejected.server)
    }
    return result
  }

  /// Nothing is in conflict with an archive that could not be read at all; a gate must not open for it.
  private static func checkReading(_ archive: ParityResult.Archive, rejected: Int) throws(UncomparableError) {
    guard archive.records > 0, rejected == archive.records else { return }
    let fault =
      rejected == 1
      ? "the one record of \(archive.name) could not be read"
      : "none of the \(rejected) records of \(archive.name) could be read"
    throw UncomparableError(message: "nothing was compared: \(fault); --rejects FILE keeps them with their reasons")
  }

  /// The known differences of a file; `nil` where none is named.
  static func baseline(_ path: String?) throws -> Baseline? {
    guard let path else { return nil }
    let bytes = try Files.read(path)
    do throws(Baseline.Fault) {
      return try Baseline(json: bytes, name: path, now: Timestamp.now)
    } catch {
      throw UsageError("\(path) is not a baseline: \(error.description)")
    }
  }
}

/// The stages of a comparison, with how much each has to do.
private struct ParityStages {
  /// The bytes of each side; `nil` where they are not known.
  let legacy: Int?
  let server: Int?

  func stage(_ progress: ParityProgress) -> Stage {
    switch progress {
    case .reading(let records, let bytes, let isLegacy):
      let all = isLegacy ? legacy : server
      return Stage(
        name: "reading \(isLegacy ? "V1" : "V2")", share: all.map { (Double(bytes), Double($0)) }, count: records)
    case .pairing(let done, let all):
      return Stage(name: "pairing", share: (Double(done), Double(all)), count: done, unit: "events")
    case .showing(let done, let all):
      return Stage(
        name: "reading samples again", share: (Double(done), Double(all)), count: done, unit: "archives")
    }
  }
}
