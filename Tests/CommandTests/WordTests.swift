import Foundation
import SlipcastComparison
import SlipcastMapping
import SlipcastSignatures
import SlipcastTestSupport
import SlipcastTimeline
import SlipcastV2
import SlipcastWire
import Testing

@testable import SlipcastBulk
@testable import SlipcastCommand
@testable import SlipcastOutlets

/// `explain` knows every word that the program prints: the words come from the code.
@Suite struct WordTests {
  private static let names = ExplainedNames(Harness.rules)

  private static func words<Word: RawRepresentable & CaseIterable>(_ type: Word.Type) -> Set<String>
  where Word.RawValue == String {
    Set(type.allCases.map(\.rawValue))
  }

  /// Families whose words are exactly the cases of a type, besides the named ones.
  static let families: [(family: String, cases: Set<String>, others: Set<String>)] = [
    ("access", words(Access.self), []),
    ("accessReason", words(AccessReason.self), []),
    ("accessChange", words(AccessChange.Outcome.self), []),
    ("rejectStage", words(Reject.Stage.self), []),
    ("inputOmitted", words(RejectText.Omission.self), []),
    ("absence", words(Account.Absence.Reason.self), []),
    ("confidence", words(Confidence.self), []),
    ("relation", words(Relation.self), []),
    ("kind", words(DifferenceKind.self), []),
    ("cause", words(ParityCause.Kind.self), []),
    ("unpaired", words(ParityResult.UnpairedKind.Reason.self), []),
    ("end", words(RunEnd.self), ["running"]),
    ("sourceKind", words(ComparisonOrigin.Source.Kind.self), []),
    ("sourceForm", words(SourceForm.self), []),
    ("recordKind", words(RecordKind.self), ["certificate"]),
    ("version", words(IncomingNotification.Version.self), ["none"]),
    ("timeSource", words(EventGroup.TimeSource.self), []),
    ("severity", words(Finding.Severity.self), []),
    ("revocation", ["good", "revoked", "undetermined"], []),
    ("revocationReason", words(RevocationStatus.Cause.self), ["unknown"]),
    ("signedKind", words(SignedKind.self), ["unknown"]),
    ("outletLoss", words(OutletLoss.self), []),
    (
      "answerFinding", Set(ReceiptStatus.allCases.compactMap(\.finding)),
      ["nothingStored", "appleUnreachable", "receiptNamesNoPurchase"]
    ),
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
    let gates = try SourceWords.found(patterns, in: "SlipcastComparison/Parity/Gates")
    #expect(gates == Set(Harness.rules.words(of: "gate")))
  }

  /// Enumerations whose words are not explained, and why.
  static let otherEnumerations: [String: String] = [
    "ErrorPolicy": "values of options", "Compression": "values of options", "Escaping": "values of options",
    "Style": "values of options", "Emission": "values of options", "ReportFormat": "values of options",
    "Format": "values of options", "Form": "values of options", "Order": "values of options",
    "Topic": "headings of the help", "Writer": "names of commands, in state files",
    "Reason": "sentences of FolderSearch; all others are explained", "Side": "a part of messages",
    "Wrapping": "endings of file names", "Tone": "colors of a page", "LegacyScope": "Apple's names of objects",
    "EventKey": "names of members of lines", "SignedPart": "names of members of records",
    "Clock": "words of the rules", "Way": "words of the rules", "SubjectEvidence": "words of the rules",
    "MomentCondition": "words of the rules", "PeriodCondition": "words of the rules",
    "PairCondition": "words of the rules", "AboutCondition": "words of the rules",
    "ReportCondition": "words of the rules", "ChangeCondition": "words of the rules",
    "ChangeInPeriodCondition": "words of the rules", "RenewalCondition": "words of the rules",
    "RenewalOfPeriodCondition": "words of the rules", "WritingCondition": "words of the rules",
    "WritingByPeriodCondition": "words of the rules", "RangeCondition": "words of the rules",
    "NeighbourCondition": "words of the rules", "ListCondition": "words of the rules",
    "OtherPeriodCondition": "words of the rules", "PeriodBeforeCondition": "words of the rules",
    "FactPeriod": "words of the rules", "FactNeighbour": "words of the rules", "FactTime": "words of the rules",
    "StatusCondition": "words of the rules", "Condition": "words of the rules", "GapTest": "words of the rules",
    "Encoding": "words of the rules", "DecisionName": "words of the rules", "ExportValue": "words of the formats",
    "Spelling": "words of the formats", "State": "words of the formats", "Environments": "values of options",
    "Route": "values of options", "SQLDialect": "values of options", "StoreSide": "values of options",
    "List": "parts of an address of a page", "LifeTone": "colors of a page",
  ]

  @Test func everyEnumerationOfTheSourcesIsExplained() throws {
    let all = try SourceWords.enumerations()
    #expect(all.count > 40 && all.contains { $0.name == "AccessReason" && $0.words.contains("billingRetry") })
    for one in all {
      let missing = one.words.filter { Self.names.pages(for: $0).isEmpty && !$0.contains(" ") }
      if Self.otherEnumerations[one.name] == nil {
        #expect(missing.isEmpty, "explain \(missing) of \(one.name), or state why not in otherEnumerations")
      }
    }
    let names = Set(all.map(\.name))
    #expect(Set(Self.otherEnumerations.keys).isSubset(of: names), "enumerations that are gone")
  }

  @Test func everyWordThatTheSourcesWriteInJSONHasAPage() throws {
    let others = ["SlipcastBench/", "SlipcastSignatures/Signing/"]
    let written = try SourceWords.found(
      [
        #"member\(\s*"\w+",[^\n"]*\? "(\w+)" : "(\w+)""#, #"member\(\s*"\w+",[^\n"]*\?\? "(\w+)""#,
        #"member\(\s*"\w+", "(\w+)"\)"#,
      ], without: others)
    #expect(written.isSuperset(of: ["grown", "degraded", "running", "invalid", "INTEGER", "certificate"]))
    for word in written.sorted() { #expect(!Self.names.pages(for: word).isEmpty, "explain \(word)") }
  }

  @Test(arguments: [
    ("metric", ["SlipcastServer"], [#"\bfamily\(\s*"(\w+)""#, #"addHistogram\(\s*"(\w+)""#], "slipcast_"),
    ("compareResult", ["SlipcastCommand/Serve"], [#"\("(\w+)", pairs\."#], ""),
    (
      "differenceState", ["SlipcastReports/Data", "SlipcastCommand/Parity"],
      [#"\? "(new|grown)" : "(new|grown)""#], ""
    ),
    ("timelineKind", ["SlipcastTimeline/Rendering"], [#"\bopen\("(\w+)""#], ""),
    (
      "health", ["SlipcastServer"],
      [#"member\("status", [^\n]*\? "(\w+)" : "(\w+)""#, #"member\("status", "(\w+)""#], ""
    ),
    ("encoding", ["SlipcastReceipts"], [#"member\("encoding", "(\w+)""#], ""),
  ])
  func aFamilyHasExactlyTheWordsOfItsWriter(
    _ family: String, _ folders: [String], _ patterns: [String], _ prefix: String
  ) throws {
    let words = try folders.reduce(into: Set<String>()) { $0.formUnion(try SourceWords.found(patterns, in: $1)) }
    #expect(Set(Harness.rules.words(of: family)) == Set(words.map { prefix + $0 }))
  }

  /// Tests of the suite `schema` validate all outputs by these schemas, so no word and no count can be missing in them.
  @Test func everyWordAndCountOfTheSchemasHasAPage() throws {
    let lines = try Program.shell("slipcast schema").output.split(separator: "\n")
    let documents = lines.filter { !$0.hasPrefix(" ") }.compactMap { $0.split(separator: " ").first.map(String.init) }
    // Places in an input, and how often something occurs.
    let plain: Set = [
      "line", "offset", "faultOffset", "length", "record", "records", "count", "ignored", "from", "server",
    ]
    var seen = 0
    for name in documents {
      let schema = try SourceWords.Schema(Data(try Program.shell("slipcast schema \(name)").output.utf8))
      for word in schema.values.union(schema.counts).subtracting(plain).sorted() {
        #expect(!Self.names.pages(for: word).isEmpty, "explain \(word), in the schema \(name)")
        seen += 1
      }
    }
    #expect(documents.count > 12 && seen > 100, "\(documents), \(seen) words")
  }

  /// The schema has exactly the figures that are written: a test validates summaries by it.
  @Test func everyFigureHasAPage() throws {
    let run = try Program.shell("slipcast schema summary")
    let schema = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let forms = try #require(schema?["oneOf"] as? [[String: Any]])
    let figures = forms.reduce(into: Set<String>()) { $0.formUnion(($1["properties"] as? [String: Any] ?? [:]).keys) }
    #expect(figures.count > 30 && figures == Set(Harness.rules.words(of: "figure")))
  }

  @Test func everyObjectAndMemberOfVersion2HasAPage() {
    let names = Set(ModelCatalog.models.flatMap { [$0.name] + $0.fields.map(\.name) })
    #expect(names.count > 150)
    for name in names.sorted() { #expect(!Self.names.pages(for: name).isEmpty, "explain \(name)") }
    #expect(names.isSubset(of: Self.names.all), "--names lists all")
  }

  @Test func everyArchiveFactHasAPage() {
    for fact in ArchiveFact.allCases { #expect(!Self.names.pages(for: fact.name).isEmpty, "explain \(fact.name)") }
    #expect(Set(ArchiveFact.allCases.map(\.name)).isSubset(of: Self.names.all))
  }

  @Test(arguments: [
    ("ambiguousBefore", "before other messages were read"), ("wasOff", "auto-renew"),
    ("access", "last known state"), ("entitlement", "access as of each event"), ("locked out", "Locked out: V1"),
    ("served for free", "Served for free: V1"), ("no-v1-source", "Apple's server API has it"),
    ("rejectCode=utf8", "not UTF-8"), ("inferred", "Inferred from other values"),
  ])
  func peopleFindWords(_ words: String, _ expected: String) throws {
    let run = try Program.shell("slipcast explain '\(words)'")
    #expect(run.status == 0 && Table.flat(run.output).contains(expected), "\(run.output)")
  }

  // MARK: the sources

  /// The codes of rejects, faults and notes that the sources spell.
  private static func codes() throws -> Set<String> {
    let spelled = try SourceWords.found(
      [
        #"\bcode: "(\w+)""#, #"refuse\([^"\n]*, "(\w+)", [a-z"]"#, #"Self.fault\("(\w+)""#, #"isAtEnd, "(\w+)""#,
      ])
    let switches = try SourceWords.found([#"(var code: String \{\n    switch [^}]+\})"#]).reduce(into: Set<String>()) {
      $0.formUnion($1.matches(of: /: "(\w+)"/).map { String($0.1) })
    }
    return spelled.union(switches)
  }
}
