import SlipcastBulk

/// What to type after a run in which nothing was converted, for one reason: said once, and not with each reject.
enum RejectAdvice {
  /// - Parameters:
  ///   - code: the reason.
  ///   - readsEvents: the command shows the events of subscriptions, and converts for that.
  static func words(_ code: String?, _ arguments: Arguments, readsEvents: Bool = false) -> String? {
    switch code {
    case "otherFormat": server(arguments, readsEvents)
    case "unknownRecord" where !arguments.has("body") && !arguments.has("sources") && !names(arguments).isEmpty:
      "no record was recognized; find the columns of rows, and the command that reads them: "
        + CommandArguments.line(["slipcast", "detect"] + names(arguments))
    default: nil
    }
  }

  private static func server(_ arguments: Arguments, _ readsEvents: Bool) -> String {
    let reading = OptionTable.options(of: "rows").flatMap { option in
      arguments.all(option.name).map { ReadingOption(option.name, option.value == nil ? nil : $0) }
    }
    let given = named(arguments.operands)
    let commands = ServerCommands(given.isEmpty && !arguments.has("sources") ? ["-"] : given, reading, isSigned: false)
    if readsEvents { return "these records are V2, which timeline reads from a store: \(commands.timeline)" }
    return "these records are V2: compare them (\(commands.parity)) or keep them (\(commands.store))"
  }

  private static func names(_ arguments: Arguments) -> [String] { named(arguments.operands.filter { $0 != "-" }) }

  /// A shell makes thousands of names of one pattern: of more than three, INPUT stands for all.
  private static func named(_ inputs: [String]) -> [String] {
    inputs.count > 3 ? ["INPUT"] : inputs.map { Databases.withoutPassword($0) }
  }
}
