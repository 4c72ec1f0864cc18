import CSlipcastProcess
import SlipcastBulk
import SlipcastMapping

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The program: finds the command, runs it, and turns every error into words and a status.
package enum Slipcast {
  static var commands: [any Command.Type] {
    [
      ConvertCommand.self, TimelineCommand.self, DiffCommand.self, InspectCommand.self, VerifyCommand.self,
      SignCommand.self, IdentityCommand.self, ExplainCommand.self, MappingsCheckCommand.self, ParityCommand.self,
      BaselineRecordCommand.self, BaselineCheckCommand.self, BaselineApproveCommand.self,
    ]
  }

  /// Runs the program with the words of the command line, and ends it.
  package static func main() async -> Never {
    slipcast_process_is_guarded()
    Platform.ignoreClosedPipes()
    exit(await run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  static func run(_ words: [String]) async -> ExitCode {
    let console = Console(arguments: nil)
    do {
      return try await dispatch(words)
    } catch let error as UsageError {
      console.say(error.description)
    } catch let error as BulkError {
      if error.isClosedPipe { return .fine }
      console.say("slipcast: \(Console.harmless(error.description))\n")
    } catch let error as MappingErrors {
      console.say(error.errors.map { "slipcast: \(Console.harmless($0.description))\n" }.joined())
      console.say("slipcast: the rules were not used; Mappings/README.md describes their form\n")
    } catch {
      console.say("slipcast: \(Console.harmless("\(error)"))\n")
    }
    return .failed
  }

  private static func dispatch(_ words: [String]) async throws -> ExitCode {
    let descriptions = commands.map { $0.description }
    guard let first = words.first, first != "--help", first != "-h", first != "help" || words.count > 1 else {
      try Console(arguments: nil).print(Help.program(descriptions))
      return .fine
    }
    if first == "--version" {
      try Console(arguments: nil).print("slipcast \(Help.version)\n")
      return .fine
    }
    let rest = first == "help" ? Array(words.dropFirst()) + ["--help"] : words
    for command in commands {
      let name = command.description.name.split(separator: " ").map(String.init)
      guard rest.starts(with: name) else { continue }
      let arguments = try Arguments(Array(rest.dropFirst(name.count)), for: command.description)
      if arguments.has("help") {
        try Console(arguments: arguments).print(Help.page(command.description))
        return .fine
      }
      _ = try OverwriteGuard(arguments, command.description)
      return try await command.run(arguments, Console(arguments: arguments))
    }
    throw unknownCommand(rest, descriptions.map(\.name))
  }

  private static func unknownCommand(_ words: [String], _ names: [String]) -> UsageError {
    let word = words[0]
    let members = names.filter { $0.hasPrefix(word + " ") }
    let family = members.first.map { first in
      members.count == 1 ? "; did you mean \(first)?" : "; it is one of \(members.joined(separator: ", "))"
    }
    let hint = family ?? UsageError.hint(word, names)
    return UsageError("unknown command \"\(word)\"\(hint)")
  }
}

/// A command of the program.
protocol Command {
  static var description: CommandDescription { get }
  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode
}
