internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// The whole mapping as one table, for people and programs.
public struct MappingTable: Sendable {
  /// One line: a rule.
  public struct Row: Hashable, Sendable {
    /// The rule's id.
    public var id: String
    /// The V1 side.
    public var v1 = ""
    /// The V2 side.
    public var v2: String
    /// The V1 keys of `verifyReceipt` that the V2 side goes back to.
    public var back = ""
    /// How they relate.
    public var relation: String
    /// How well it is known.
    public var confidence: String
    /// What V1 says.
    public var v1Meaning = ""
    /// What V2 says.
    public var v2Meaning = ""
    /// The trap.
    public var note = ""
    /// Keys of the documents.
    public var source: String
    /// The V1 keys of a field rule, each behind the object that holds it: `pending_renewal_info.price_consent_status`.
    public var keys: [String] = []
    /// The documents, spelled out.
    public var citations: [Citation] = []
  }

  /// All rules in the order of the files: fields, then types, events that V1 never sends, grouping, decisions,
  /// attributes of receipts, the way back to V1.
  public var rows: [Row]

  /// Makes the table of a rule set.
  public init(rules: RuleSet) {
    rows = rules.fields.map { rule in
      Row(
        id: rule.id, v1: rule.from.joined(separator: ", "), v2: rule.to.map { Explainer.place(rule.family, $0) } ?? "",
        back: rules.inverse(of: rule).compactMap { $0.key?.name }.joined(separator: ", "),
        relation: rule.relation.rawValue, confidence: rule.confidence.rawValue, v1Meaning: rule.meaning.v1 ?? "",
        v2Meaning: rule.meaning.v2 ?? "", note: rule.note ?? "", source: rule.source,
        keys: rule.places.map { "\($0.scope.rawValue).\($0.key.name)" }, citations: rules.citations(of: rule))
    }
    rows += rules.types.map { rule in
      let conditions = rule.all + rule.none.map { "not " + $0 }
      return Row(
        id: rule.id, v1: ([rule.type] + conditions).joined(separator: ", "),
        v2: rule.readings.map(\.description).joined(separator: " or "),
        relation: rule.isAbsorbed ? "absorbed" : "derived",
        confidence: rule.confidence.rawValue, v1Meaning: rule.meaning.v1 ?? "", v2Meaning: rule.meaning.v2 ?? "",
        note: rule.note ?? "", source: rule.source)
    }
    rows += rules.tracedEvents.map { event in
      Row(
        id: event.id, v2: event.shownEvent, relation: Relation.serverOnly.rawValue,
        confidence: event.confidence.rawValue, v1Meaning: event.trace, source: event.source)
    }
    rows += rules.grouping.rows
    rows += rules.decisions.map { rule in
      Row(
        id: rule.id, v1: rule.shownValue, v2: rule.kind,
        relation: "decision", confidence: rule.confidence.rawValue, v1Meaning: rule.meaning,
        note: (rules.windowUsers[rule.id] ?? []).joined(separator: ", "), source: rule.source)
    }
    rows += rules.receiptAttributes.map { rule in
      Row(
        id: rule.id, v1: (["attribute \(rule.type)"] + rule.paths).joined(separator: ", "),
        v2: rules.targets(of: rule).joined(separator: ", "),
        relation: "attribute", confidence: rule.confidence.rawValue, v1Meaning: rule.name,
        note: rule.note ?? "", source: rule.source)
    }
    rows += rules.inverse.map { rule in
      let (v1, v2) = (rule.paths.joined(separator: ", "), rule.from.map { Explainer.place(rule.family ?? "", $0) })
      return Row(
        id: rule.id, v1: v1, v2: v2.joined(separator: ", "), relation: "inverse",
        confidence: rule.confidence.rawValue, v1Meaning: rule.explanation ?? "", v2Meaning: rule.conditions,
        note: rule.note ?? "", source: rule.source)
    }
    for index in rows.indices where rows[index].citations.isEmpty {
      rows[index].citations = rules.citations(rows[index].source)
    }
  }

  /// Columns under each other, one rule a line.
  public var text: String {
    let width = rows.map(\.id.count).max() ?? 0
    return rows.map { row in
      let name = row.id + String(repeating: " ", count: width - row.id.count)
      let (v1, v2) = (row.v1.isEmpty ? "(none)" : row.v1, row.v2.isEmpty ? "(none)" : row.v2)
      let there = "\(v1) → \(row.v2.isEmpty ? "(lost)" : row.v2)" + (row.back.isEmpty ? "" : " → \(row.back)")
      let sides = row.relation == "inverse" ? "\(v2) → \(row.v1.isEmpty ? "(lost)" : row.v1)" : there
      return "\(name)  \(sides)  [\(row.relation), \(row.confidence)]\n"
    }.joined()
  }

  /// A Markdown table; bars inside cells are escaped.
  public var markdown: String {
    var lines = [
      "| rule | V1 | V2 | back to V1 | relation | confidence | V1 says | V2 says | trap | source |",
      "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows {
      let cells = [
        row.id, row.v1, row.v2, row.back, row.relation, row.confidence, row.v1Meaning, row.v2Meaning, row.note,
        row.source,
      ]
      lines.append("| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// One JSON document, `{"schema":1,"rules":[…]}`.
  ///
  /// A rule has `id`, `v1`, `v2`, `back`, `relation`, `confidence`, `meaning`
  /// (`v1`, `v2`), `note`, `source`, `keys` and `citations` (`title`, `locator`, `url`). Besides the rules it has
  /// `models` (`name`, `members` with `name` and `kind`) and `vocabularies` (`name`, `values`): the V2 names that this
  /// version knows.
  public var json: String {
    let writer = JSONWriter()
    writer.raw("{\"schema\":1,\"rules\":[")
    for row in rows {
      writer.comma()
      writer.raw("\n{")
      writer.member("id", row.id)
      writer.member("v1", row.v1)
      writer.member("v2", row.v2)
      writer.member("back", row.back)
      writer.member("relation", row.relation)
      writer.member("confidence", row.confidence)
      writer.object("meaning") {
        writer.member("v1", row.v1Meaning)
        writer.member("v2", row.v2Meaning)
      }
      writer.member("note", row.note)
      writer.member("source", row.source)
      writer.member("keys", row.keys)
      writer.list("citations", row.citations) { citation in
        writer.member("title", citation.title)
        writer.member("locator", ifPresent: citation.locator)
        writer.member("url", ifPresent: citation.url)
      }
      writer.raw("}")
    }
    writer.raw("\n]")
    Self.addCatalog(to: writer)
    writer.raw("}\n")
    return writer.string
  }

  /// The V2 names that this version knows.
  private static func addCatalog(to writer: JSONWriter) {
    writer.list("models", ModelCatalog.models) { model in
      writer.member("name", model.name)
      writer.list("members", model.fields) { member in
        writer.member("name", member.name)
        writer.member("kind", member.kind.description)
      }
    }
    writer.list("vocabularies", ModelCatalog.vocabularies) { vocabulary in
      writer.member("name", vocabulary.name)
      writer.member("values", vocabulary.values)
    }
  }
}
