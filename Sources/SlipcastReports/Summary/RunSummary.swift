package import SlipcastComparison
@_spi(Slipcast) internal import SlipcastWire

/// What a run over many records did, for a file next to its output.
public struct RunSummary: Sendable {
  /// One figure.
  public struct Figure: Hashable, Sendable {
    /// One word: `read`, `converted`, or the code of a finding.
    public var name: String
    /// A whole number, or a decimal one such as seconds, spelled as JSON spells it.
    public var value: String

    /// Names a figure.
    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  /// How the run ended: `finished`, `interrupted`, ….
  public var end: String
  /// What was read, by name.
  public var sources: [String]
  /// Records by outcome, and the speed of the run.
  public var figures: [Figure]
  /// Findings by code.
  public var findings: [Figure]
  /// The command that ran.
  public var command = "slipcast convert"
  /// What the run worked on: `A run over an archive`.
  public var subject = "A run over an archive"
  /// When it was made, in milliseconds since 1970 UTC.
  package var made: Int64?
  /// The options of the command that the result depends on.
  package var options: [ComparisonOrigin.Option] = []
  /// Rejected records by the code of their reason; `nil` for runs that do not count them so.
  public var reasons: [Figure]?
  /// What became of the records of each source; `nil` for runs that do not count them so.
  public var bySource: [OfSource]?

  /// The records of one source.
  public struct OfSource: Hashable, Sendable {
    /// What the source is called.
    public var source: String
    /// Records found in it.
    public var read: Int
    /// Those that were rejected.
    public var rejected: Int

    /// Counts a source.
    public init(_ source: String, read: Int, rejected: Int) {
      (self.source, self.read, self.rejected) = (source, read, rejected)
    }
  }

  /// Figures over the time of the run; a table of names and values (CSV) leaves them out.
  public var course: RunCourse?

  /// A summary of a run.
  public init(end: String, sources: [String], figures: [Figure], findings: [Figure]) {
    (self.end, self.sources, self.figures, self.findings) = (end, sources, figures, findings)
  }

  /// The forms of a summary.
  public enum Format: String, CaseIterable, Hashable, Sendable {
    case json, csv, md, html, xml

    /// The form of a file name's extension; `nil` for an unknown extension.
    public init?(path: String) {
      guard let name = path.split(separator: "/").last, let place = name.lastIndex(of: ".") else { return nil }
      self.init(rawValue: String(name[name.index(after: place)...]).lowercased())
    }
  }

  /// The summary as a document.
  public func text(_ format: Format) -> String {
    switch format {
    case .json: json
    case .csv: csv
    case .md: MarkdownForm().text(document)
    case .html: HTMLForm().text(document)
    case .xml: xml
    }
  }

  private var document: ReportDocument {
    var document = ReportDocument(
      command: command, subject: subject, title: "Run \(end)", tone: end == "finished" ? .good : .caution, sentence: "")
    func section(_ id: String, _ title: String, _ block: ReportBlock) -> ReportSection {
      ReportSection(id: id, title: title, blocks: [block])
    }
    let sections: [ReportSection?] = [
      section("records", "Records", .table(Self.table("Records by outcome", "outcome", figures))),
      course.flatMap { $0.rows.isEmpty ? nil : $0.section },
      findings.isEmpty ? nil : section("found", "Findings", .table(Self.table("Findings by code", "code", findings))),
      reasons.flatMap {
        $0.isEmpty ? nil : section("rejected", "Rejects", .table(Self.table("Rejects by reason", "reason", $0)))
      },
      section("sources", "Sources", bySource.map { .table(Self.table($0)) } ?? list),
    ]
    document.sections = sections.compactMap(\.self)
    document.closing = options.closing(made: made)
    return document
  }

  private var list: ReportBlock { .items(sources.map { ReportItem(name: $0.safe, isCode: true) }) }

  private static func table(_ sources: [OfSource]) -> ReportTable {
    ReportTable(
      caption: "Records by source", columns: [.name("source"), .number("read"), .number("rejected")],
      rows: sources.map { [.words($0.source.safe), .number("\($0.read)"), .number("\($0.rejected)")] })
  }

  private static func table(_ caption: String, _ name: String, _ figures: [Figure]) -> ReportTable {
    ReportTable(
      caption: caption, columns: [.name(name), .number("value")],
      rows: figures.map { [.words($0.name.safe), .number($0.value)] })
  }

  private var json: String {
    JSONWriter.line(capacity: 4096) { writer in
      writer.member("schema", 1)
      writer.member("end", end)
      if let made {
        writer.member("made", made)
        writer.object("options") { for option in options { writer.member(option.name, option.values) } }
      }
      for figure in figures { number(figure, writer) }
      if let course { writer.object("course") { course.write(to: writer) } }
      writer.object("findings") { for figure in findings { number(figure, writer) } }
      if let reasons { writer.object("rejectedFor") { for figure in reasons { number(figure, writer) } } }
      writer.member("sources", sources)
      if let bySource {
        writer.list("bySource", bySource) { source in
          writer.member("source", source.source)
          writer.member("read", source.read)
          writer.member("rejected", source.rejected)
        }
      }
    }.string
  }

  private func number(_ figure: Figure, _ writer: JSONWriter) {
    writer.key(figure.name)
    writer.raw(figure.value)
  }

  /// RFC 4180: a line of names, then one line for each figure.
  private var csv: String {
    let made = made.map { [("made", Timestamp(milliseconds: $0).description)] } ?? []
    let rows =
      [("end", end)] + made + figures.map { ($0.name, $0.value) } + findings.map { ("findings.\($0.name)", $0.value) }
      + (reasons ?? []).map { ("rejectedFor.\($0.name)", $0.value) }
    return "name,value\r\n" + rows.map { "\($0.0),\($0.1)\r\n" }.joined()
  }

  private var xml: String {
    Markup.xml("run") { run in
      run.set("end", end)
      if let made {
        run.set("made", Timestamp(milliseconds: made).description)
        run.set("options", options.words)
      }
      for figure in figures { run.add(Self.element(figure.name), text: figure.value) }
      course?.add(to: run)
      let found = run.add("findings")
      for figure in findings { found.add("finding", ["code": figure.name, "count": figure.value]) }
      if let reasons, !reasons.isEmpty {
        let rejects = run.add("rejects")
        for figure in reasons { rejects.add("reason", ["code": figure.name, "count": figure.value]) }
      }
      let list = run.add("sources")
      guard let bySource else {
        for source in sources { list.add("source", ["name": source.safe]) }
        return
      }
      for source in bySource {
        list.add(
          "source", ["name": source.source.safe, "read": "\(source.read)", "rejected": "\(source.rejected)"])
      }
    }
  }

  /// A figure's name as the name of an element: `records/s` becomes `recordsPerSecond`.
  private static func element(_ name: String) -> String {
    name.replacing("records/s", with: "recordsPerSecond").replacing("MB/s", with: "megabytesPerSecond")
  }
}
