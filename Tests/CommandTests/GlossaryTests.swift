import Foundation
import SlipcastMapping
import SlipcastTestSupport
import Testing

@testable import SlipcastCommand

/// The glossary: one list of terms in the rules, which `explain` and the page of the documentation show.
@Suite struct GlossaryTests {
  private static let path = Folder.package("Sources/SlipcastKit/SlipcastKit.docc/Glossary.md")

  private static var terms: WordFamily? { Harness.rules.words.first { $0.of == "glossary" } }

  /// `lockedOut` is `locked out` in texts.
  private static func spelled(_ word: String) -> String {
    word.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
  }

  private static func page(_ family: WordFamily) -> String {
    let rows = family.words.map { "| \(spelled($0.name)) | \($0.meaning) |\n" }.joined()
    return """
      # Glossary

      One word for each thing, in help, reports and documents. `slipcast explain WORD` explains each of them, and every
      other word that Slipcast prints.

      ## Terms

      | word | means |
      |---|---|
      \(rows)
      """
  }

  @Test func thePageHasTheTermsOfTheRules() throws {
    let page = Self.page(try #require(Self.terms))
    if Fixture.isRecording { try page.write(toFile: Self.path, atomically: true, encoding: .utf8) }
    #expect(try String(contentsOfFile: Self.path, encoding: .utf8) == page)
  }

  @Test func explainShowsTheTermsInAlphabeticalOrder() throws {
    let terms = try #require(Self.terms)
    let run = try Program.shell("slipcast explain glossary")
    #expect(run.status == 0)
    for word in terms.words { #expect(run.output.contains("  \(word.name) "), "\(word.name)") }
    #expect(terms.words.map(\.name) == terms.words.map(\.name).sorted { $0.lowercased() < $1.lowercased() })
  }

  /// People write a term as texts spell it.
  @Test(arguments: ["locked out", "dry run", "inferred", "absorbed", "access", "cast", "conflict", "reject"])
  func explainKnowsATermAsTextsSpellIt(_ term: String) throws {
    let run = try Program.shell("slipcast explain '\(term)'")
    #expect(run.status == 0)
    #expect(run.output.contains("a term of Slipcast"), "\(run.output)")
  }

  @Test func reportsNameTheGlossary() throws {
    let pair = Folder.package("Fixtures/pairs/price-consent-1-v2-1")
    let run = try Program.shell("slipcast diff \(pair)/v1.json \(pair)/v2.json")
    #expect(run.output.contains("slipcast explain glossary"))
  }
}
