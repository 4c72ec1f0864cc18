import Foundation
import Testing

@testable import SlipcastCommand

/// Every command line that the tables show is one that the program understands.
@Suite struct ExampleParsingTests {
  static let examples =
    Slipcast.descriptions.flatMap { command in command.examples.map(\.command) }
    + (ProgramDescription.essentials + ProgramDescription.next).map(\.command)

  @Test(arguments: examples)
  func theParserTakesTheExample(_ line: String) throws {
    let calls = try Self.calls(of: line)
    #expect(!calls.isEmpty)
    for words in calls {
      let command = try #require(Slipcast.command(words)?.description, "\(words)")
      let arguments = try Arguments(Array(words.dropFirst(command.words.count)), for: command)
      for option in command.options where option.isRequired && !arguments.has("help") {
        #expect(arguments.has(option.name), "--\(option.name)")
      }
      if case .none = command.operands { #expect(arguments.operands.isEmpty) }
      if case .words(let choices) = command.operands {
        #expect(arguments.operands.allSatisfy { word in choices.contains { $0.name == word } })
      }
      if case .schemas = command.operands {
        #expect(arguments.operands.allSatisfy { word in SchemaCommand.choices.contains { $0.name == word } })
      }
      for name in ["body", "received-at", "id", "server-body", "server-received-at"]
      where command.option(name)?.value == "POINTER" {
        _ = try InputOptions.pointer(arguments, name)
      }
      _ = try arguments.time("as-of")
    }
  }

  @Test(arguments: Slipcast.descriptions.map(\.name))
  func anExampleCallsItsOwnCommand(_ name: String) throws {
    for example in try Table.command(name).examples {
      #expect(
        try Self.calls(of: example.command).contains { $0.first == name.split(separator: " ").first.map(String.init) }
          || example.command.contains(name), "\(example.command)")
    }
  }

  /// The words with which a shell line calls the program, once for each call, as bash takes the line apart.
  static func calls(of line: String) throws -> [[String]] {
    var text = ""
    try Workplace.with { place in
      let run = try place.shell(
        """
        export HOME="$PWD"
        mkdir -p .local/share/bash-completion/completions .zfunc .config/fish/completions
        slipcast() { local IFS=$'\\037'; printf '%s\\037\\036' "$*" >> calls; }
        for name in jq psql pbpaste less man; do eval "$name() { cat > /dev/null; }"; done
        \(line)
        """)
      #expect(run.errors.isEmpty, "\(run.errors)")
      let path = place.url.path + "/calls"
      if FileManager.default.fileExists(atPath: path) { text = try String(contentsOfFile: path, encoding: .utf8) }
    }
    return text.split(separator: "\u{1E}").map { call in
      call.split(separator: "\u{1F}", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
  }
}
