@testable import SlipcastCommand

extension FuzzTarget {
  /// The command line: words divided by line feeds; the first byte chooses the command.
  static let arguments = FuzzTarget(
    name: "arguments",
    summary: "every command line is understood or refused in words, and no word is given out as it came",
    seeds: {
      Slipcast.commands.enumerated().flatMap { number, command in
        let description = command.description
        let options = description.options.map { "--\($0.name)" + ($0.value.map { "=\($0)" } ?? "") }
        let examples = description.examples.map { $0.command.split(separator: " ").dropFirst(2).map(String.init) }
        return (examples + [options, ["--help", "--", "-"]]).map { [UInt8(number)] + lines($0) }
      }
    },
    words: Slipcast.commands.flatMap { command in
      command.description.options.flatMap { ["--" + $0.name] + $0.choices.map(\.name) }
    } + ["--", "--help", "/payload/body", "0.5%", "2021-03-10T00:00:00Z", "1615334400000"],
    limit: 4 << 10,
    make: {
      { bytes in
        let words = bytes.rest.split(separator: 0x0A, omittingEmptySubsequences: false)
          .map { String(decoding: $0, as: UTF8.self) }
        let command = Slipcast.commands[Int(bytes.first ?? 0) % Slipcast.commands.count]
        try parse(words, for: command.description)
      }
    })

  private static func lines(_ words: [String]) -> [UInt8] { Array(words.joined(separator: "\n").utf8) }

  private static func parse(_ words: [String], for command: CommandDescription) throws {
    do {
      let arguments = try Arguments(words, for: command)
      guard arguments.operands.count + arguments.values.values.reduce(0, { $0 + $1.count }) <= words.count else {
        throw Violation("more was read than was given")
      }
      _ = try? arguments.number("jobs", 1...64)
      _ = try? arguments.time("received-at")
      guard command.name == ConvertCommand.description.name, !opensFiles(arguments) else { return }
      _ = try? ConvertCommand.options(arguments)
    } catch let error as UsageError {
      let said = error.description.split(separator: "\n").map { Console.harmless(String($0)) }.joined()
      guard
        said.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F && !(0x80...0x9F).contains($0.value) })
      else { throw Violation("an error speaks to the terminal") }
    } catch {
      throw Violation("refused in another way: \(error)")
    }
  }

  private static func opensFiles(_ arguments: Arguments) -> Bool {
    ["products", "mappings", "sign", "root", "intermediate", "verify"].contains(where: arguments.has)
  }
}
