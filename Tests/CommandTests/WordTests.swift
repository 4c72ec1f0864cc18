import Foundation
import SlipcastComparison
import SlipcastMapping
import SlipcastSignatures
import SlipcastTestSupport
import SlipcastTimeline
import Testing

@testable import SlipcastBulk
@testable import SlipcastCommand

/// `explain` knows every word that the program prints: the words come from the code.
@Suite struct WordTests {
  private static let names = ExplainedNames(Harness.rules)

  private static func words<Word: RawRepresentable & CaseIterable>(_ type: Word.Type) -> Set<String>
  where Word.RawValue == String {
    Set(type.allCases.map(\.rawValue))
  }

  /// Families whose words are exactly the cases of a type, besides the named ones.
  static let families: [(family: String, cases: Set<String>, others: Set<String>)] = [
    ("access", words(AccessState.Access.self), []),
    ("accessReason", words(AccessState.Reason.self), []),
    ("accessChange", words(AccessChange.Outcome.self), []),
    ("rejectStage", words(Reject.Stage.self), []),
    ("inputOmitted", words(SecretFilter.Omission.self), []),
    ("absence", words(Account.Absence.Reason.self), []),
    ("confidence", words(RuleConfidence.self), []),
    ("relation", words(Relation.self), []),
    ("kind", words(DifferenceKind.self), []),
    ("unpaired", words(ParityResult.UnpairedKind.Reason.self), []),
    ("end", words(RunEnd.self), []),
    ("timeSource", words(EventGroup.TimeSource.self), []),
    ("severity", words(Finding.Severity.self), []),
    ("revocation", ["good", "revoked", "undetermined"], []),
    ("revocationReason", words(RevocationStatus.Cause.self), ["unknown"]),
    ("signedKind", words(SignedKind.self), ["unknown"]),
    ("verdict", words(Comparison.Verdict.self), ["valid", "invalid", "unverified"]),
  ]

  @Test(arguments: families.map(\.family))
  func aFamilyHasExactlyTheWordsOfTheCode(_ name: String) throws {
    let family = try #require(Self.families.first { $0.family == name })
    #expect(Set(Harness.rules.words(of: name)) == family.cases.union(family.others))
  }

  @Test func everyWordHasAPage() {
    let all = Self.words(DifferenceClass.self).union(Self.words(Refusal.Reason.self))
      .union(Harness.rules.words.flatMap { [$0.of] + $0.words.map(\.name) })
      .union(Harness.rules.findings.map(\.code))
    for word in all.sorted() { #expect(!Self.names.pages(for: word).isEmpty, "explain \(word)") }
    #expect(all.isSubset(of: Self.names.all), "--names lists all")
  }

  @Test func everyCodeInTheSourcesHasAPage() throws {
    let codes = try Self.codes()
    #expect(codes.isSuperset(of: ["unclosedString", "cellsDiffer", "bodyMissing", "wrongKind", "endOfAccess"]))
    for code in codes.sorted() { #expect(!Self.names.pages(for: code).isEmpty, "explain \(code)") }
    let unused = Set(Harness.rules.words(of: "rejectCode") + Harness.rules.words(of: "note")).subtracting(codes)
    #expect(unused.isEmpty, "explained, and never printed: \(unused.sorted())")
  }

  @Test func everyGateInTheSourcesHasAPage() throws {
    let patterns = [#"name: "([a-zA-Z]+)[ "]"#, #"\["(minAgreement)""#]
    let gates = try Self.found(patterns, in: "SlipcastComparison/Parity/Gates")
    #expect(gates == Set(Harness.rules.words(of: "gate")))
  }

  /// The schema has exactly the figures that are written: a test validates summaries by it.
  @Test func everyFigureHasAPage() throws {
    let run = try Program.shell("slipcast schema summary")
    let schema = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let forms = try #require(schema?["oneOf"] as? [[String: Any]])
    let figures = forms.reduce(into: Set<String>()) { $0.formUnion(($1["properties"] as? [String: Any] ?? [:]).keys) }
    #expect(figures.count > 30 && figures == Set(Harness.rules.words(of: "figure")))
  }

  @Test func everyArchiveFactHasAPage() {
    for fact in ArchiveFact.allCases { #expect(!Self.names.pages(for: fact.name).isEmpty, "explain \(fact.name)") }
    #expect(Set(ArchiveFact.allCases.map(\.name)).isSubset(of: Self.names.all))
  }

  @Test(arguments: [
    ("ambiguousBefore", "before other messages were read"), ("wasOff", "auto-renew"),
    ("access", "last known state"), ("entitlement", "access as of each event"), ("locked out", "Locked out: V1"),
    ("served for free", "Served for free: V1"), ("no-v1-source", "Apple's server API has it"),
    ("rejectCode=utf8", "not UTF-8"), ("inferred", "Concluded from other values"),
  ])
  func peopleFindWords(_ words: String, _ expected: String) throws {
    let run = try Program.shell("slipcast explain '\(words)'")
    #expect(run.status == 0 && Table.flat(run.output).contains(expected), "\(run.output)")
  }

  // MARK: the sources

  /// The codes of rejects, faults and notes that the sources spell.
  private static func codes() throws -> Set<String> {
    let spelled = try found(
      [
        #"\bcode: "(\w+)""#, #"refuse\([^"\n]*, "(\w+)", [a-z"]"#, #"Self.fault\("(\w+)""#, #"isAtEnd, "(\w+)""#,
      ], in: "")
    let switches = try found([#"var code: String \{\n    switch [^}]+\}"#], in: "").reduce(into: Set<String>()) {
      $0.formUnion($1.matches(of: /: "(\w+)"/).map { String($0.1) })
    }
    return spelled.union(switches)
  }

  private static func found(_ patterns: [String], in folder: String) throws -> Set<String> {
    let root = Fixture.root.deletingLastPathComponent().appending(path: "Sources").appending(path: folder)
    let expressions = try patterns.map { try NSRegularExpression(pattern: $0) }
    var found: Set<String> = []
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for expression in expressions {
        for match in expression.matches(in: text, range: NSRange(text.startIndex..., in: text)) {
          guard let range = Range(match.range(at: match.numberOfRanges - 1), in: text) else { continue }
          found.insert(String(text[range]))
        }
      }
    }
    return found
  }
}
