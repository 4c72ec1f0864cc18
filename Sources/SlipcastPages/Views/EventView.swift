internal import SlipcastComparison
internal import SlipcastMapping
internal import SlipcastReports
internal import SlipcastStores
internal import SlipcastWire

/// An event: V1's body, the conversion and Apple's V2 record side by side, and what differs.
struct EventView: Sendable {
  /// A record in the view.
  struct Part: Sendable {
    var title: String
    var body: [UInt8]?
    /// What is said in its place.
    var absence: String
  }

  var notice: StoredNotice
  var name: String
  /// The event in plain words.
  var sentence: String
  var customer: String?
  var parts: [Part]
  var comparison: Result<Comparison, ComparisonError>?
  /// Whether V1's own body was compared, or its conversion.
  var isOfBody: Bool
  var counterpart: StoredNotice?
  var findings: [StoredFinding]
  var reasons: [String]
  let links: PageLinks

  func add(to main: Markup) {
    let header = main.add("header", ["class": "answer identical"])
    let side = notice.origin == .v1 ? "V1 event" : "V2 notification"
    header.add("p", ["class": "kicker"], text: "\(side) \(links.redactor.shown(notice.notificationUUID))")
    header.add("h1", ["class": "sentence"]).add(code: name)
    header.add(
      "p", ["class": "lead"], text: sentence + ".")
    addFacts(main)
    addDifferences(main)
    addParts(main)
    addFindings(main)
  }

  private func addFacts(_ main: Markup) {
    let list = main.add("dl", ["class": "sides"])
    func fact(_ label: String, _ text: String?, link: String? = nil) {
      guard let text, !text.isEmpty else { return }
      list.add("dt", text: label)
      let value = list.add("dd")
      (link.map { value.add("a", ["href": $0]) } ?? value).add("code").add(code: text)
    }
    list.add("dt", text: "Happened")
    list.add("dd").add(moment: notice.time)
    if let received = notice.receivedAt {
      list.add("dt", text: "Received")
      list.add("dd").add(moment: received)
    }
    fact("Customer", customer.map { links.redactor.shown($0) }, link: customer.flatMap { links.customer($0) })
    fact("Product", notice.productId)
    fact("App", [notice.bundleId, notice.environment].compactMap(\.self).joined(separator: ", "))
    fact("V1 type", notice.notification_type, link: notice.notification_type.flatMap { links.rule($0) })
    fact("Rule", notice.rule, link: notice.rule.flatMap { links.rule($0) })
    fact("Confidence", notice.confidence)
    fact(
      "Part of", notice.absorbedInto.map { links.redactor.shown($0) },
      link: notice.absorbedInto.flatMap { links.event($0) })
    fact(
      "Other record", counterpart.map { links.redactor.shown($0.notificationUUID) },
      link: counterpart.flatMap { links.event($0.notificationUUID) })
    fact("Source", "\(links.redactor.shown(notice.source)), record \(notice.record)")
    fact("Row id", notice.id.map { links.redactor.shown($0) })
    for reason in reasons {
      list.add("dt", text: "Because")
      list.add("dd", text: reason)
    }
  }

  // MARK: differences

  var differenceTable: DataTable {
    var table = DataTable(
      id: "differences", caption: "Fields by class",
      columns: [.words("Field"), .words("Class"), .words("V1"), .words("V2"), .words("Meaning")])
    guard case .success(let comparison) = comparison else { return table }
    let order = Dictionary(uniqueKeysWithValues: DifferenceClass.allCases.enumerated().map { ($1, $0) })
    let fields = comparison.fields.sorted { left, right in
      (order[left.differenceClass] ?? 0, left.path) < (order[right.differenceClass] ?? 0, right.path)
    }
    table.rows = fields.map { field in
      let meaning =
        links.redactor.isOn || field.explanation.isEmpty ? field.differenceClass.meaning : field.explanation
      return DataTable.Row(
        cells: [
          .code(field.path, link: field.rule.flatMap { links.rule($0) }), .words(field.differenceClass.rawValue),
          .words(shown(field.v1 ?? field.cast, field.v1Path ?? field.path)), .words(shown(field.v2, field.path)),
          .words(meaning),
        ], tone: field.differenceClass.rawValue)
    }
    return table
  }

  private func shown(_ value: ComparedValue?, _ path: String) -> String {
    guard let value else { return "absent" }
    guard let json = value.json else { return "not shown" }
    let text = GuardedText(json, of: path).shown(by: links.redactor)
    return text.count > 120 ? "\(text.prefix(119))…" : text
  }

  private func addDifferences(_ main: Markup) {
    let part = main.add("section", ["class": "part", "aria-labelledby": "differences-title"])
    part.add("h2", ["id": "differences-title"], text: "V1 against V2")
    switch comparison {
    case nil:
      part.add("p", ["class": "about"], text: "The other side has no record to compare with.")
    case .failure(let error):
      part.add(
        "p", ["class": "about"],
        text: "The two cannot be compared: \(links.redactor.isOn ? "their kinds do not fit" : "\(error)").")
    case .success(let comparison):
      if !isOfBody {
        part.add(
          "p", ["class": "about"],
          text: "The conversion is compared, because the store has no V1 body: slipcast convert … --to STORE "
            + "--keep-bodies keeps it.")
      }
      let list = part.add("ul", ["class": "counts"])
      for one in DifferenceClass.allCases {
        guard let count = comparison.counts[one], count > 0 else { continue }
        list.add("li", ["class": one.rawValue], text: "\(count) \(one.rawValue)")
      }
      var (table, rest) = (differenceTable, differenceTable)
      let quiet: Set<String> = ["identical", "representation", "repeated"]
      table.rows.removeAll { quiet.contains($0.tone ?? "") }
      rest.rows.removeAll { !quiet.contains($0.tone ?? "") }
      table.empty = "No field needs a look."
      table.add(to: part, download: links.isServed ? "?csv=differences" : nil)
      guard !rest.rows.isEmpty else { return }
      let details = part.add("details", ["class": "more"])
      details.add("summary", text: "\(rest.rows.count) fields that agree")
      rest.caption = "Fields that agree"
      rest.add(to: details, download: nil)
    }
  }

  private func addParts(_ main: Markup) {
    let part = main.add("section", ["class": "part", "aria-labelledby": "records-title"])
    part.add("h2", ["id": "records-title"], text: "Records")
    let columns = part.add("div", ["class": "records-columns"])
    for one in parts {
      let box = columns.add("div")
      box.add("h3", text: one.title)
      guard let body = one.body else {
        box.add("p", ["class": "about"], text: one.absence)
        continue
      }
      let text = RecordText.lines(of: body, links.redactor) ?? "not JSON"
      box.add("pre", ["tabindex": "0", "aria-label": one.title]).add("code").add(whole: text)
    }
  }

  private func addFindings(_ main: Markup) {
    guard !findings.isEmpty else { return }
    let part = main.add("section", ["class": "part", "aria-labelledby": "findings-title"])
    part.add("h2", ["id": "findings-title"], text: "Findings")
    let list = part.add("ul", ["class": "findings"])
    for finding in findings {
      let item = list.add("li", ["class": finding.severity == "warning" ? "timeDependent" : "identical"])
      item.add("strong", ["class": "count"], text: finding.severity)
      let words = item.add("div")
      let name = links.rule(finding.code).map { words.add("a", ["href": $0]) } ?? words
      name.add("code", text: finding.code)
      words.add(text: ": \(finding.message)" + (finding.path.isEmpty ? "" : " (\(finding.path))"))
    }
  }
}
