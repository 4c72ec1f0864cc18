import SlipcastBulk
import SlipcastComparison
import SlipcastMapping
import SlipcastParity
import SlipcastReports
import SlipcastWire

/// `slipcast baseline record`: what differs now becomes known.
enum BaselineRecordCommand: Command {
  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    let path = try BaselineOptions.path(arguments, description)
    let (reason, until) = try BaselineOptions.reason(arguments, description)
    if !arguments.has("force"), Platform.size(path) != nil {
      throw UsageError(
        "\(path) is there already: slipcast baseline approve adds to it, --force writes it anew", description)
    }
    let old = Platform.size(path) == nil ? nil : try ParityJob.baseline(path, description)
    let result = try await ParityJob(arguments, description, baseline: nil).run(arguments, console)
    let known = result.differences.map { difference in
      var known = difference.approved(reason, until, arguments)
      // What was known before keeps its own reason.
      if let before = old?.differences.first(where: { $0.isSame(as: known) }) {
        (known.reason, known.until) = (before.reason, before.until)
      }
      return known
    }
    try Files.write(Baseline(name: path, differences: known, now: Timestamp.now).json, to: path)
    BaselineOptions.say("recorded", known.count, path, arguments, console)
    return .fine
  }

  static let description = CommandDescription(
    name: "baseline record",
    summary: "the differences between two archives become known",
    usage: "baseline record --baseline FILE --reason TEXT --legacy A… --server B… [OPTION…]",
    discussion: [
      "Compares two archives as parity does and writes every difference that fails to a file: the path, the class, the "
        + "V1 message and the V2 event that it stands between, and in how many pairs it may stand (atMost). The file is "
        + "for version control: give each line its own reason, shorten what should end (until), take out what should "
        + "not be accepted.",
      "Exit status: 0 written, 2 the archives could not be compared.",
    ],
    options: [
      ParityOption.baseline("The file to write.", .written), BaselineOptions.reason, BaselineOptions.until,
      Option(
        name: "force",
        help: "Writes over a file that is there; differences that stand in it keep their reason and last day."),
      BaselineOptions.anyNumber,
    ] + ParityOption.archives + BaselineOptions.others,
    examples: [
      (
        command: "slipcast baseline record --baseline known.json --reason 'first comparison' --until 2027-03-31 "
          + "--legacy v1/ --server v2/", says: "Freeze what is known today:"
      )
    ])
}

/// `slipcast baseline check`: parity with the baseline as its only gate, in few words.
enum BaselineCheckCommand: Command {
  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    let path = try BaselineOptions.path(arguments, description)
    let baseline = try ParityJob.baseline(path, description)
    let job = try ParityJob(arguments, description, baseline: baseline)
    var result = try await job.run(arguments, console)
    var gates = ParityGates()
    (gates.baseline, gates.strict) = (baseline, job.options.tally.strict)
    gates.judge(&result)
    if !arguments.has("quiet") {
      for difference in result.differences where difference.fails {
        let state = difference.known == nil ? "new" : "grown"
        try console.print("\(console.outputInk.red(state))  \(difference.words)\n")
      }
      for note in result.notes { try console.print("note   \(SafeText.words(note.message))\n") }
      for gate in result.gates {
        try console.print("\(gate.holds ? "holds" : "fails")  \(SafeText.words(gate.message))\n")
      }
    }
    return result.verdict == .parity || arguments.has("exit-zero") ? .fine : .findings
  }

  static let description = CommandDescription(
    name: "baseline check",
    summary: "is there any difference that is not known?",
    usage: "baseline check --baseline FILE --legacy A… --server B… [OPTION…]",
    discussion: [
      "Compares two archives and says which differences the file does not know, which have become more frequent than it "
        + "accepts, and which it knows that are gone or have expired. slipcast parity --baseline gives the whole report.",
      "Exit status: 0 all differences are known, 1 some are not, 2 the archives could not be compared.",
    ],
    options: [ParityOption.baseline("The known differences.")] + ParityOption.archives + BaselineOptions.others + [
      Option(name: "exit-zero", help: "Ends with 0 despite new differences.")
    ],
    examples: [
      (command: "slipcast baseline check --baseline known.json --legacy v1/ --server v2/", says: "In a CI job:")
    ])
}

/// `slipcast baseline approve`: new differences become known, one kind at a time.
enum BaselineApproveCommand: Command {
  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    let path = try BaselineOptions.path(arguments, description)
    let (reason, until) = try BaselineOptions.reason(arguments, description)
    let patterns = arguments.all("path").map(DifferencePattern.init)
    guard !patterns.isEmpty else {
      throw UsageError("--path is missing: which of the new differences to approve; '**' stands for all", description)
    }
    guard var baseline = try ParityJob.baseline(path, description) else { return .failed }
    let result = try await ParityJob(arguments, description, baseline: baseline).run(arguments, console)
    let chosen = result.differences.filter { difference in
      difference.fails && patterns.contains { $0.fits(difference.path) }
    }
    for difference in chosen {
      let approved = difference.approved(reason, until, arguments)
      if let place = baseline.differences.firstIndex(where: { $0.isSame(as: approved) }) {
        baseline.differences[place] = approved
      } else {
        baseline.differences.append(approved)
      }
    }
    guard !chosen.isEmpty else {
      console.say("slipcast: no new difference fits --path \(arguments.all("path").joined(separator: " "))\n")
      return .findings
    }
    try Files.write(baseline.json, to: path)
    BaselineOptions.say("approved", chosen.count, path, arguments, console)
    return .fine
  }

  static let description = CommandDescription(
    name: "baseline approve",
    summary: "new differences become known, with a reason",
    usage: "baseline approve --baseline FILE --path PATTERN… --reason TEXT --legacy A… --server B… [OPTION…]",
    discussion: [
      "Compares two archives and adds the new, expired and grown differences whose path fits a pattern to the file, each "
        + "with the reason. In a pattern * stands for any part of one name, ** for any number of names.",
      "Exit status: 0 approved, 1 no new difference fits, 2 the archives could not be compared.",
    ],
    options: [
      ParityOption.baseline("The file to add to.", .written),
      Option(name: "path", value: "PATTERN", isRepeatable: true, help: "Which differences, by path; '**' for all."),
      BaselineOptions.reason, BaselineOptions.until, BaselineOptions.anyNumber,
    ] + ParityOption.archives + BaselineOptions.others,
    examples: [
      (
        command: "slipcast baseline approve --baseline known.json --path '**.appAccountToken' "
          + "--reason 'tokens were rewritten in 2024' --legacy v1/ --server v2/", says: "One kind at a time:"
      )
    ])
}

/// What the three commands share.
enum BaselineOptions {
  static let reason = Option(name: "reason", value: "TEXT", help: "Why these differences are accepted.")
  static let until = Option(
    name: "until", value: "DAY", help: "The last day on which they are accepted, yyyy-MM-dd UTC; no end by default.")
  static let anyNumber = Option(
    name: "any-number", help: "Accepts these differences in any number of pairs, for archives that grow.")
  static let others: [Option] = [
    ReportFiles.strict,
    ParityOption.asOf, Option(name: "quiet", help: "Writes no words but errors."),
  ]

  static func path(_ arguments: Arguments, _ command: CommandDescription) throws -> String {
    guard let path = arguments.last("baseline") else {
      throw UsageError("--baseline is missing: the file of known differences", command)
    }
    return path
  }

  static func reason(_ arguments: Arguments, _ command: CommandDescription) throws -> (String, String?) {
    guard let reason = arguments.last("reason"), !reason.isEmpty else {
      throw UsageError("--reason is missing: why the differences are accepted", command)
    }
    let until = arguments.last("until")
    if let until, Timestamp(day: until) == nil {
      throw UsageError("--until is a day, yyyy-MM-dd, not \"\(until)\"", command)
    }
    return (reason, until)
  }

  static func say(_ done: String, _ count: Int, _ path: String, _ arguments: Arguments, _ console: Console) {
    if arguments.has("quiet") { return }
    let noun = count == 1 ? "difference" : "differences"
    console.say("\(done) \(count) \(noun) in \(Console.harmless(path))\n")
  }
}

extension ParityResult.FoundDifference {
  /// The difference as a known one, as often as it stands now.
  fileprivate func approved(_ reason: String, _ until: String?, _ arguments: Arguments) -> KnownDifference {
    KnownDifference(
      path: path, differenceClass: differenceClass, legacy: legacy, server: server,
      atMost: arguments.has("any-number") ? nil : count, reason: reason, until: until)
  }

  /// One line about it.
  fileprivate var words: String {
    let most = known?.atMost.map { ", \($0) accepted" } ?? ""
    return SafeText.words(
      "\(path) \(differenceClass) in \(legacy) → \(server): \(count) \(count == 1 ? "pair" : "pairs")\(most)")
  }
}

extension KnownDifference {
  /// Both are about the same path, class and events.
  fileprivate func isSame(as other: KnownDifference) -> Bool {
    (path, differenceClass, legacy, server) == (other.path, other.differenceClass, other.legacy, other.server)
  }
}
