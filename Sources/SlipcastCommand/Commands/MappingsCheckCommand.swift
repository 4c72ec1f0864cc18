import SlipcastMapping

/// `slipcast mappings check`: a user's own rules, checked against the built-in ones.
enum MappingsCheckCommand: Command {
  static let description = CommandDescription("mappings check", .rules, operands: .folders)

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    guard arguments.operands.count == 1, let directory = arguments.operands.first else {
      throw UsageError("expected one folder, found \(arguments.operands.count)")
    }
    let builtIn = try RuleSet.builtIn()
    let rules = try RuleOptions.rules(directory)
    let added = rules.overlaid.subtracting(builtIn.ids).count
    let replaced = rules.overlaid.count - added
    let total = rules.fields.count + rules.types.count + rules.receiptAttributes.count + rules.inverse.count
    try console.print("valid: \(total) rules, \(added) of them new, \(replaced) of them replaced\n")
    for (row, event) in rules.unheardOfEvents(beside: builtIn) {
      try console.print("unknown event: \(row.id) becomes \(event), which no built-in rule contains\n")
    }
    for (row, hiding) in rules.unreachedTypes {
      try console.print("never reached: \(row.id), because \(hiding.id) comes first and matches the same events\n")
    }
    return .fine
  }
}
