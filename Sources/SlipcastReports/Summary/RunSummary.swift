@_spi(Slipcast) internal import SlipcastWire

/// What a run over many records did, to be kept beside its output.
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
  /// Records by what became of them, and how fast it went.
  public var figures: [Figure]
  /// Findings by code.
  public var findings: [Figure]

  /// Collects what is to be told.
  public init(end: String, sources: [String], figures: [Figure], findings: [Figure]) {
    (self.end, self.sources, self.figures, self.findings) = (end, sources, figures, findings)
  }

  /// The forms that a summary has.
  public enum Format: String, CaseIterable, Hashable, Sendable {
    case json, csv, md, html, xml

    /// The form that a file name's extension asks for; `nil` for an extension that none has.
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
    case .md: markdown
    case .html: html
    case .xml: xml
    }
  }

  /// Sources are as many as an archive has files: documents for people show the first ones.
  private static let mostSources = 20

  private var shownSources: [String] {
    let rest = sources.count - Self.mostSources
    return sources.prefix(Self.mostSources).map { SafeText.words($0) } + (rest > 0 ? ["… and \(rest) more"] : [])
  }

  private var json: String {
    let writer = JSONWriter(capacity: 4096)
    writer.raw("{\"schema\":1")
    writer.member("end", end)
    for figure in figures { number(figure, writer) }
    writer.key("findings")
    writer.raw("{")
    for figure in findings { number(figure, writer) }
    writer.raw("}")
    writer.key("sources")
    writer.raw("[")
    for source in sources {
      writer.comma()
      writer.text(source)
    }
    writer.raw("]}\n")
    return writer.string
  }

  private func number(_ figure: Figure, _ writer: JSONWriter) {
    writer.key(figure.name)
    writer.raw(figure.value)
  }

  /// RFC 4180: a line of names, then one line a figure.
  private var csv: String {
    let rows = [("end", end)] + figures.map { ($0.name, $0.value) } + findings.map { ("findings.\($0.name)", $0.value) }
    return "name,value\r\n" + rows.map { "\($0.0),\($0.1)\r\n" }.joined()
  }

  private var markdown: String {
    var text = "# slipcast: run \(end)\n\n| | |\n| --- | ---: |\n"
    for figure in figures { text += "| \(figure.name) | \(figure.value) |\n" }
    if !findings.isEmpty { text += "\n## Findings\n\n| code | count |\n| --- | ---: |\n" }
    for figure in findings { text += "| \(MarkdownText.code(figure.name)) | \(figure.value) |\n" }
    text += "\n## Sources\n\n"
    for source in shownSources { text += "- \(MarkdownText.code(source))\n" }
    return text
  }

  private var xml: String {
    let writer = XMLDocumentWriter()
    writer.element("run", ["end": end]) {
      for figure in figures { writer.element(Self.element(figure.name)) { writer.text(figure.value) } }
      writer.element("findings") {
        for figure in findings { writer.element("finding", ["code": figure.name, "count": figure.value]) }
      }
      writer.element("sources") { for source in sources { writer.element("source", ["name": SafeText.words(source)]) } }
    }
    return writer.finished()
  }

  /// A figure's name as the name of an element: `records/s` becomes `recordsPerSecond`.
  private static func element(_ name: String) -> String {
    name.replacing("records/s", with: "recordsPerSecond").replacing("MB/s", with: "megabytesPerSecond")
  }

  private var html: String {
    HTMLPage(title: "slipcast: run \(end)", styles: [PackageResources.page_css]).text { body in
      let header = body.add("header", ["class": "top"])
      header.add("p", ["class": "kicker"], text: "Slipcast: a run over an archive")
      header.add("h1", text: "Run \(end)")
      let main = body.add("main")
      table(main, "What became of the records", figures)
      if !findings.isEmpty { table(main, "Findings", findings) }
      main.add("h2", text: "Sources")
      let list = main.add("ul")
      for source in shownSources { list.add("li").add("code", text: source) }
    }
  }

  private func table(_ main: HTMLElement, _ title: String, _ figures: [Figure]) {
    let table = main.add("table", ["class": "figures"])
    table.add("caption", text: title)
    let body = table.add("tbody")
    for figure in figures {
      let row = body.add("tr")
      row.add("th", ["scope": "row"], text: figure.name)
      row.add("td", text: figure.value)
    }
  }
}
