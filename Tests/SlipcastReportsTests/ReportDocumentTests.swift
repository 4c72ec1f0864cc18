import SlipcastMapping
import SlipcastWire
import Testing

@testable import SlipcastReports

/// Each form renders each kind of block, and escapes what it contains.
@Suite struct ReportDocumentTests {
  private static let forms: [(name: String, render: @Sendable (ReportDocument) -> String)] = [
    ("text", { TextForm(ink: Ink(isColored: false), isVerbose: true).text($0) }),
    ("markdown", { MarkdownForm().text($0) }), ("html", { HTMLForm().text($0) }), ("junit", { JUnitForm().text($0) }),
  ]
  /// What Markdown and HTML would take for markup.
  private static let markup = "<i>*x*</i>"

  private static func document(_ blocks: [ReportBlock]) -> ReportDocument {
    var document = ReportDocument(
      command: "slipcast test", subject: "A test", title: "Conflict", tone: .bad, sentence: "nothing agrees")
    document.sections = [ReportSection(id: "one", title: "One", summary: "a section", blocks: blocks)]
    let failed = ReportCase.Outcome.failed(message: "message", type: "conflict", details: blocks)
    document.cases = [ReportCase(name: "case", kind: "conflict", outcome: failed)]
    return document
  }

  private static let finding = ReportFinding(
    records: "records of it", entries: [.init(label: "V1", value: .json("\"value\""), place: "a.place")],
    meaning: "meaning \(markup)", storekit: "storekit words", ignored: "ignored words")

  private static let row = ReportRow(
    path: "path.of.it", differenceClass: .conflict, fails: true, needsLook: true, findings: [finding])

  private static let table = ReportTable(
    caption: "Caption", columns: [.init(title: "number", kind: .number), .init(title: "name", kind: .name)],
    rows: [[.number("1,234"), .path("a.path", link: "one", remark: "remark", worst: .conflict, fails: true)]])

  static let blocks: [(ReportBlock, [String])] = [
    (
      .items([ReportItem(lead: .count(1234), name: "name", words: "words \(markup)", details: ["details"])]),
      ["1,234", "name", "words", "details"]
    ),
    (.items([ReportItem(lead: .gate(holds: false), name: "gate", isCode: true, words: "why")]), ["gate", "why"]),
    (.table(table), ["number", "name", "1,234", "path", "remark"]),
    (.facts([ReportFact(label: "label", name: "name", about: "about \(markup)")]), ["abel", "name", "about"]),
    (.findings([finding]), ["records of it", "value", "meaning", "storekit words", "ignored words"]),
    (
      .fields(ReportFields(groups: [ReportGroup(differenceClass: .conflict, count: 1, rows: [row])])),
      ["path", "value", "place", "meaning", "storekit words", "ignored words"]
    ),
    (.titled("title", summary: "summary", [.items([ReportItem(words: "words")])]), ["title", "summary", "ords"]),
    (.folded("title", brief: [], [.items([ReportItem(words: "words")])]), ["title", "ords"]),
  ]

  @Test(arguments: blocks.indices, forms.indices)
  func everyFormRendersEveryTextOfABlock(_ block: Int, _ form: Int) {
    let (block, texts) = Self.blocks[block]
    let text = Self.forms[form].render(Self.document([block]))
    for part in texts { #expect(text.contains(part), "\(Self.forms[form].name): \(part)") }
    if Self.forms[form].name != "text" { #expect(!text.contains("<i>")) }
    if Self.forms[form].name == "markdown" { #expect(!text.contains("*x*")) }
  }

  @Test(arguments: forms.indices)
  func blocksForPagesAreInNoOtherForm(_ form: Int) {
    let document = Self.document([.page("only here", [.items([ReportItem(words: "words")])])])
    #expect(Self.forms[form].render(document).contains("only here") == (Self.forms[form].name == "html"))
  }

  @Test(arguments: forms.indices)
  func aDocumentWithoutSectionsIsWhole(_ form: Int) {
    var document = Self.document([])
    document.sections = []
    let text = Self.forms[form].render(document)
    #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
  }

  @Test func aSectionOfDetailsIsTextOnlyWithAllDetails() {
    var document = Self.document([.items([ReportItem(words: "words")])])
    document.sections[0].visibility = .detail
    #expect(!TextForm(ink: Ink(isColored: false), isVerbose: false).text(document).contains("words"))
    #expect(TextForm(ink: Ink(isColored: false), isVerbose: true).text(document).contains("words"))
  }
}
