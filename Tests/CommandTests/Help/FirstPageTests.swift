import Testing

@testable import SlipcastCommand

/// The output of the program without arguments.
@Suite struct FirstPageTests {
  @Test(arguments: ["slipcast", "slipcast --help", "slipcast -h", "slipcast help"])
  func itShowsThreeThingsThenAllCommandsThenWhatToType(_ line: String) throws {
    let run = try Program.shell(line)
    #expect(run.status == 0 && run.errors.isEmpty)
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 36 && lines.allSatisfy { $0.count <= 100 })
    for (place, row) in ProgramDescription.essentials.enumerated() {
      #expect(lines[3 + place].contains(row.command) && lines[3 + place].contains(row.says))
    }
    for topic in Topic.allCases { #expect(lines.contains { $0 == topic.rawValue }) }
    for command in Slipcast.descriptions {
      let (word, member) = (command.words[0], command.words.last ?? "")
      if let family = ProgramDescription.families[word] {
        let shown = lines.filter { $0.hasPrefix("  \(word) ") && $0.contains("  \(family): ") }
        #expect(shown.count == 1 && shown[0].split { " ,:".contains($0) }.contains { $0 == member })
      } else {
        #expect(lines.count { $0.hasPrefix("  \(command.name) ") && $0.hasSuffix("  \(command.summary)") } == 1)
      }
    }
    for row in ProgramDescription.next { #expect(run.output.contains(row.command)) }
    for status in ProgramDescription.text.exitStatuses.map(\.status.rawValue) {
      #expect(ProgramDescription.briefStatuses.contains("\(status) "))
    }
  }

  @Test(arguments: ["slipcast help baseline", "slipcast baseline --help", "slipcast baseline -h"])
  func aFamilyShowsItsMembers(_ line: String) throws {
    let run = try Program.shell(line)
    #expect(run.status == 0)
    for name in ["baseline record", "baseline check", "baseline approve"] { #expect(run.output.contains("  \(name) ")) }
    #expect(!run.output.contains("parity "))
  }

  @Test func theFamilyOfFetchShowsItsMembers() throws {
    let run = try Program.shell("slipcast fetch --help")
    #expect(run.status == 0)
    for name in ["history", "statuses", "refunds", "notifications"] { #expect(run.output.contains("  fetch \(name) ")) }
  }

  @Test(arguments: Table.names)
  func noLineOfAHelpIsTooLongButForExamples(_ name: String) throws {
    let command = try Table.command(name)
    let page = Help.page(command)
    for line in page.split(separator: "\n") where !command.examples.contains(where: { line.hasSuffix($0.command) }) {
      #expect(line.count <= 100, "\(line)")
    }
    #expect(try Program.run(["help"] + command.words, in: "/").output == page)
    #expect(try Program.run(command.words + ["--help"], in: "/").output == page)
  }
}
