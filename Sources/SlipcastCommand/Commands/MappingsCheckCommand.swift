import SlipcastMapping

/// `slipcast mappings check`: a user's own rules, checked against the built-in ones.
enum MappingsCheckCommand: Command {
  static let description = CommandDescription(
    name: "mappings check", topic: .rules,
    summary: "checks a folder with your rules",
    usage: "mappings check FOLDER",
    operands: .folders,
    discussion: [
      "Merges the rule files of FOLDER (*.json) into the built-in ones and checks all: names exist, kinds fit, no V2 "
        + "field is written twice, no V1 key and no V2 field is forgotten, every rule has a source. It reads every "
        + "file and reports all errors in one run, each with file, line and column; what is missing only because of "
        + "another error is not reported. New rows of notification-types come before the built-in ones; those that are "
        + "never reached because of them are named, and so are events of types and subtypes that do not go together."
    ],
    options: [],
    exitStatuses: [(.fine, "the rules are valid"), (.failed, "something is wrong")],
    examples: [(command: "slipcast mappings check rules/", says: "Your rules:")])

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    guard arguments.operands.count == 1, let directory = arguments.operands.first else {
      throw UsageError("expected one folder, found \(arguments.operands.count)", description)
    }
    let builtIn = try RuleSet.builtIn()
    let rules = try RuleOptions.rules(directory)
    let known = Set(ids(builtIn))
    let added = ids(rules).filter { !known.contains($0) }
    let replaced = rules.overlaid.subtracting(added).count
    let total = ids(rules).count
    try console.print("valid: \(total) rules, \(added.count) of them new, \(replaced) of them replaced\n")
    for (row, event) in rules.unheardOfEvents(beside: builtIn) {
      try console.print("unknown event: \(row.id) becomes \(event), which no built-in rule contains\n")
    }
    for (row, hiding) in rules.unreachedTypes {
      try console.print("never reached: \(row.id), because \(hiding.id) comes first and matches the same events\n")
    }
    return .fine
  }

  private static func ids(_ rules: RuleSet) -> [String] {
    rules.fields.map(\.id) + rules.types.map(\.id) + rules.receiptAttributes.map(\.id)
  }
}
