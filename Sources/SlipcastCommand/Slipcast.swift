import CSlipcastProcess
import SlipcastBulk
internal import SlipcastLibC
import SlipcastMapping
import SlipcastStores
import SlipcastSystem
import SlipcastWire

/// The program: finds the command, runs it, and turns every error into words and a status.
package enum Slipcast {
  /// All commands, in the order of their topics.
  static var commands: [any Command.Type] {
    [
      ConvertCommand.self, TimelineCommand.self, ExportCommand.self, DiffCommand.self, ParityCommand.self,
      BaselineRecordCommand.self, BaselineCheckCommand.self, BaselineApproveCommand.self, FetchHistoryCommand.self,
      FetchStatusesCommand.self, FetchRefundsCommand.self, FetchNotificationsCommand.self, FetchOrdersCommand.self,
      ServeCommand.self, VerifyReceiptCommand.self, ReplayCommand.self, UiCommand.self, DetectCommand.self,
      InspectCommand.self,
      VerifyCommand.self,
      IdentityCommand.self,
      SignCommand.self, ExplainCommand.self, SchemaCommand.self, MappingsCheckCommand.self, HelpCommand.self,
      CompletionsCommand.self, ManualCommand.self,
    ]
  }

  static let descriptions = commands.map { $0.description }

  /// Runs the program with the words of the command line, and ends it.
  package static func main() async -> Never {
    slipcast_process_is_guarded()
    Platform.ignoreClosedPipes()
    let words = Array(CommandArguments.all.dropFirst())
    if Platform.environment(Completion.variable) != nil {
      try? Console(arguments: nil).print(Completion(words, among: descriptions).text, as: .document)
      exit(ExitCode.fine.rawValue)
    }
    let status = await Screen.$terminal.withValue(Screen.askedColumns) { await run(words) }
    exit(status.rawValue)
  }

  static func run(_ words: [String]) async -> ExitCode {
    let console = Console(arguments: nil)
    WordMask.remember(words)
    do {
      return try await dispatch(words)
    } catch let error as UsageError {
      console.say(error.description)
    } catch let error as FileError {
      // The reader knows that it stopped reading; the status says that it did not get everything.
      if error.isClosedPipe { return .failed }
      let hint = FileHint.text(error) + FileHint.idText(error, words)
      console.say("slipcast: \(Console.harmless(error.description + hint))\n")
    } catch let error as StoreError {
      let hint = error.missing.map(FileHint.text) ?? ""
      console.say("slipcast: \(Console.harmless(error.description + hint))\n")
    } catch let error as MappingErrors {
      console.say(error.errors.map { "slipcast: \(Console.harmless($0.description))\n" }.joined())
      let (count, files) = (error.errors.count, Set(error.errors.map(\.file)).count)
      let errors = count == 1 ? "1 error" : "\(count) errors" + (files > 1 ? " in \(files) files" : "")
      console.say("slipcast: \(errors); the rules were not used\n")
    } catch {
      console.say("slipcast: \(Console.harmless("\(error)"))\n")
    }
    return .failed
  }

  private static func dispatch(_ words: [String]) async throws -> ExitCode {
    let console = Console(arguments: nil)
    guard let first = words.first, !isHelp(first) else {
      try console.print(Help.program(descriptions))
      return .fine
    }
    if first == "--\(Option.version.name)" {
      try console.print("slipcast \(Release.version)\n")
      return .fine
    }
    if first.hasPrefix("-") { throw UsageError.optionFirst(first) }
    guard let command = command(words) else {
      // slipcast baseline --help
      guard words.count == 2, isHelp(words[1]) else { throw UsageError.unknownCommand(words) }
      try console.print(try HelpCommand.text([first]))
      return .fine
    }
    do {
      let arguments = try Arguments(Array(words.dropFirst(command.description.words.count)), for: command.description)
      if arguments.has("help") {
        try Console(arguments: arguments).print(Help.page(command.description))
        return .fine
      }
      try await OverwriteGuard(arguments).checkContents()
      return try await command.run(arguments, Console(arguments: arguments))
    } catch var error as UsageError {
      error.command = command.description.name
      throw error
    }
  }

  static func command(_ words: [String]) -> (any Command.Type)? {
    commands.first { words.starts(with: $0.description.words) }
  }

  private static func isHelp(_ word: String) -> Bool { word == "--\(Option.help.name)" || word == "-h" }
}

protocol Command {
  static var description: CommandDescription { get }
  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode
}
