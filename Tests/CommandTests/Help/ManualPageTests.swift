import Foundation
import SlipcastWire
import Testing

@testable import SlipcastCommand

/// Programs that a machine may have or not.
enum Tool {
  static func isThere(_ name: String) -> Bool {
    ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
    }
  }
}

/// The manual page is one that the programs for manual pages accept and show as it is meant.
@Suite struct ManualPageTests {
  static let sections = [
    "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES",
    "SEE ALSO",
  ]

  @Test func thePageHasTheSectionsThatPeopleLookFor() throws {
    let page = try Program.shell("slipcast manual --format man").output
    #expect(page == ManualPage.text(Slipcast.descriptions))
    let found = page.split(separator: "\n").filter { $0.hasPrefix(".SH ") }.map { $0.dropFirst(5).dropLast() }
    #expect(found.map(String.init) == Self.sections)
    #expect(page.hasPrefix(".TH \"SLIPCAST\" \"1\" \(Release.date) "))
    #expect(page.unicodeScalars.allSatisfy { $0.isASCII && ($0.value >= 0x20 || $0 == "\n") })
    #expect(!page.contains("\n\n"))
  }

  @Test(.enabled(if: Tool.isThere("mandoc"), "mandoc is not installed"))
  func mandocFindsNothingToWarnOf() throws {
    let run = try Program.shell("slipcast manual --format man | mandoc -Tlint -W warning")
    #expect(run.output + run.errors == "" && run.status == 0)
  }

  @Test(.enabled(if: Tool.isThere("groff"), "groff is not installed"), arguments: ["ascii", "utf8"])
  func groffFindsNothingToWarnOf(_ device: String) throws {
    let run = try Program.shell("slipcast manual --format man | groff -man -ww -z -T\(device)")
    #expect(run.output + run.errors == "" && run.status == 0)
  }

  @Test(
    .enabled(if: Tool.isThere("mandoc") || Tool.isThere("groff"), "neither mandoc nor groff is installed"),
    arguments: Table.names)
  func whatIsShownCanBeCopied(_ name: String) throws {
    let reader = Tool.isThere("mandoc") ? "mandoc -Tutf8 -O width=300" : "groff -man -Tutf8 -P-c -rLL=300n"
    let shown = Table.flat(try Program.shell("slipcast manual --format man | \(reader) | sed 's/.\\x08//g'").output)
    let command = try Table.command(name)
    for option in command.allOptions { #expect(shown.contains(option.usage.replacing("…", with: "..."))) }
    for example in command.examples {
      #expect(shown.contains(Table.flat(example.command).replacing("…", with: "...")), "\(example.command)")
    }
  }

  /// The page escapes text that roff would read as a request.
  @Test(arguments: [
    (".TH x", "\\&.TH x"), ("'br", "\\(aqbr"), ("a\\fBb", "a\\efBb"), ("--emit", "\\-\\-emit"),
    ("~/x^`", "\\(ti/x\\(ha\\(ga"),
    ("→", "\\[u2192]"), ("\"a\"", "\\(dqa\\(dq"), ("a…", "a..."),
  ])
  func wordsAreNotTakenForTheLanguageOfThePage(_ words: String, _ line: String) {
    var page = Roff()
    page.paragraph(words)
    #expect(page.text == ".PP\n\(line)\n")
  }

  @Test(arguments: [
    ("a *.json file", "a `*.json` file"), ("(--emit)", "(`--emit`)"), ("DID_RENEW.", "`DID_RENEW`."),
    ("a & b", "a \\& b"), ("[OPTION]", "\\[OPTION\\]"), ("one `grave` more", "one `` `grave` `` more"),
    ("--split.", "`--split`."),
  ])
  func wordsAreNotTakenForMarkdown(_ words: String, _ markdown: String) {
    #expect(Markdown.prose(words) == markdown)
  }
}
