import SlipcastBulk
import SlipcastComparison
import SlipcastMapping
import SlipcastParity
import SlipcastReports
import SlipcastSystem
import SlipcastWire

/// `slipcast baseline record`: what differs now becomes known.
enum BaselineRecordCommand: Command {
  static let description = CommandDescription("baseline record", .compare)

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    let path = try BaselineOptions.path(arguments)
    let (reason, until) = try BaselineOptions.reason(arguments)
    if !arguments.has("force"), Platform.size(path) != nil {
      throw UsageError("\(path) already exists: add to it with slipcast baseline approve, or overwrite it with --force")
    }
    let old = Platform.size(path) == nil ? nil : try ParityJob.baseline(path)
    var job = try ParityJob(arguments, baseline: nil)
    let missing = MissingRows()
    job.options.missing = missing
    let result = try await job.run(arguments, console)
    // An empty file would lose the reasons of the one before it, and accept nothing.
    guard result.pairs.compared > 0 else { throw UncomparableError(message: ParityGates.nothingCompared) }
    let known = result.differences.map { difference in
      var known = difference.approved(reason, until, arguments)
      // What was known before keeps its own reason; a line of an older version stands for kinds that no line names.
      let same = (old?.differences ?? []).filter { $0.isSame(as: known) }
      if let before = same.first(where: { $0.kind != nil }) ?? same.first {
        (known.reason, known.until) = (before.reason, before.until)
      }
      return known
    }
    var events: [KnownEvent] = []
    var before = KnownEventPool(old?.events ?? [])
    var nameless = 0
    for side in MissingEvent.Side.allCases {
      try missing.forEach(side) { event in
        var entry = KnownEvent(event, reason: reason, until: until)
        guard !entry.originalTransactionId.isEmpty else {
          nameless += 1
          return true
        }
        if let known = before.take(for: event) { (entry.reason, entry.until) = (known.reason, known.until) }
        events.append(entry)
        return true
      }
    }
    if nameless > 0 {
      let (are, have) = nameless == 1 ? ("event", "has") : ("events", "have")
      console.say(
        "slipcast: not recorded: \(nameless) missing \(are) that \(have) no originalTransactionId to be named by\n")
    }
    try Files.write(Baseline(name: path, differences: known, events: events, now: Timestamp.now).json, to: path)
    BaselineOptions.say("recorded", known.count, events: events.count, in: path, arguments, to: console)
    return .fine
  }
}

/// `slipcast baseline check`: parity with the baseline as its only gate, in few words.
enum BaselineCheckCommand: Command {
  static let description = CommandDescription("baseline check", .compare)

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    let path = try BaselineOptions.path(arguments)
    let baseline = try ParityJob.baseline(path)
    let job = try ParityJob(arguments, baseline: baseline)
    var result = try await job.run(arguments, console, hasVerdict: true)
    try job.gates(arguments).judge(&result)
    if !arguments.has("quiet") { try Console.keepingVerdict { try show(result, console) } }
    return result.verdict == .parity || arguments.has("exit-zero") ? .fine : .findings
  }

  private static func show(_ result: ParityResult, _ console: Console) throws {
    for difference in result.differences where difference.fails {
      let state = difference.known == nil ? "new" : "grown"
      try console.print("\(console.outputInk.red(state))  \(difference.line)\n")
    }
    for event in MissingEvent.Side.allCases.flatMap({ result.missing.events($0) }) where !event.isAccepted {
      let other = event.side == .legacy ? "V2" : "V1"
      let words = SafeText.words(KnownEvent(event, reason: "", until: nil).words)
      try console.print("\(console.outputInk.red("new"))  \(words) missing in \(other)\n")
    }
    for note in result.notes { try console.print("note   \(SafeText.words(note.message))\n") }
    for gate in result.gates {
      try console.print("\(gate.holds ? "holds" : "fails")  \(SafeText.words(gate.message))\n")
    }
  }
}

/// `slipcast baseline approve`: new differences become known, one kind at a time.
enum BaselineApproveCommand: Command {
  static let description = CommandDescription("baseline approve", .compare)

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    let path = try BaselineOptions.path(arguments)
    let (reason, until) = try BaselineOptions.reason(arguments)
    let patterns = arguments.all("path").map(DifferencePattern.init)
    let ids = Set(arguments.all("event"))
    guard !patterns.isEmpty || !ids.isEmpty else {
      throw UsageError(
        "--path is missing: which of the new differences to approve; '**' stands for all; --event ID approves the missing "
          + "events of one subscription")
    }
    guard var baseline = try ParityJob.baseline(path) else { return .failed }
    let result = try await ParityJob(arguments, baseline: baseline).run(arguments, console)
    let chosen = result.differences.filter { difference in
      difference.fails && patterns.contains { $0.fits(difference.path) }
    }
    for difference in chosen {
      let approved = difference.approved(reason, until, arguments)
      if let place = baseline.differences.firstIndex(where: { $0.kind != nil && $0.isSame(as: approved) }) {
        baseline.differences[place] = approved
      } else {
        baseline.differences.append(approved)
      }
    }
    let events = MissingEvent.Side.allCases.flatMap { result.missing.events($0) }.filter { event in
      !event.isAccepted && event.subject.originalTransactionId.map(ids.contains) ?? false
    }
    for event in events { baseline.accept(KnownEvent(event, reason: reason, until: until)) }
    guard !chosen.isEmpty || !events.isEmpty else {
      if patterns.isEmpty {
        console.say("slipcast: no event of --event \(arguments.all("event").joined(separator: " ")) is missing\n")
        return .findings
      }
      let hint = hint(arguments.all("path"), result.differences.filter(\.fails).map(\.path))
      console.say("slipcast: no new difference fits --path \(arguments.all("path").joined(separator: " "))\(hint)\n")
      return .findings
    }
    try Files.write(baseline.json, to: path)
    BaselineOptions.say("approved", chosen.count, events: events.count, in: path, arguments, to: console)
    return .fine
  }

  private static func hint(_ patterns: [String], _ paths: [String]) -> String {
    let hints = patterns.map { UsageError.hint($0, paths) }.filter { !$0.isEmpty }
    if let first = hints.first { return first }
    return paths.isEmpty ? "; no difference is new" : "; slipcast baseline check lists them"
  }
}

enum BaselineOptions {
  static func path(_ arguments: Arguments) throws -> String {
    try arguments.required("baseline", "the file of known differences")
  }

  static func reason(_ arguments: Arguments) throws -> (String, String?) {
    guard let reason = arguments.last("reason"), reason.contains(where: { !$0.isWhitespace }) else {
      throw UsageError("--reason is missing: why the differences are accepted")
    }
    let until = arguments.last("until")
    guard let until else { return (reason, nil) }
    guard let day = Timestamp(day: until) else { throw UsageError("--until is a day, yyyy-MM-dd, not \"\(until)\"") }
    if day.milliseconds + 86_400_000 <= Timestamp.now.milliseconds { throw UsageError("--until \(until) is over") }
    return (reason, until)
  }

  static func say(
    _ done: String, _ count: Int, events: Int, in path: String, _ arguments: Arguments, to console: Console
  ) {
    if arguments.has("quiet") { return }
    let noun = count == 1 ? "difference" : "differences"
    let more = events > 0 ? " and \(events) missing \(events == 1 ? "event" : "events")" : ""
    console.say("\(done) \(count) \(noun)\(more) in \(Console.harmless(path))\n")
  }
}

extension ParityResult.FoundDifference {
  fileprivate func approved(_ reason: String, _ until: String?, _ arguments: Arguments) -> KnownDifference {
    KnownDifference(
      path: path, differenceClass: differenceClass, kind: kind, legacy: legacy, server: server,
      atMost: arguments.has("any-number") ? nil : count, reason: reason, until: until)
  }

  fileprivate var line: String {
    let most = known?.atMost.map { ", \($0) accepted" } ?? ""
    return SafeText.words(
      "\(words): \(count) \(count == 1 ? "pair" : "pairs")\(most)")
  }
}
