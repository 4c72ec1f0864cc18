@_spi(Slipcast) internal import SlipcastWire

/// One entry of a rule file, turned into its Swift value.
struct RuleEntry {
  let reader: RuleReader
  let element: JSONElement
  let family: String

  func fault(_ message: String) -> MappingError { reader.fault(element, element["id"]?.string, message) }

  func text(_ name: String) throws(MappingError) -> String {
    guard let value = element[name]?.string, !value.isEmpty else { throw fault("expected a string \"\(name)\"") }
    return value
  }

  func texts(_ name: String) throws(MappingError) -> [String] {
    guard let list = element[name] else { return [] }
    guard list.kind == .array else { throw fault("expected an array of strings \"\(name)\"") }
    var result: [String] = []
    for item in list.children {
      guard let value = item.string else { throw fault("expected an array of strings \"\(name)\"") }
      result.append(value)
    }
    return result
  }

  func only(_ names: [String]) throws(MappingError) {
    guard element.kind == .object else { throw fault("expected an object") }
    for child in element.children where !names.contains(child.name) {
      let hint = RuleCheck.suggestion(child.name, names)
      throw fault(
        "unknown key \"\(child.name)\"\(hint.isEmpty ? "; expected one of \(names.joined(separator: ", "))" : hint)")
    }
  }

  func confidence() throws(MappingError) -> RuleConfidence {
    guard let word = element["confidence"] else { return .documented }
    guard let value = word.string.flatMap(RuleConfidence.init(rawValue:)) else {
      throw fault("\"confidence\" is none of \(RuleConfidence.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return value
  }

  private func meaning() throws(MappingError) -> Meaning {
    guard let object = element["meaning"], object.kind == .object else { throw fault("expected an object \"meaning\"") }
    return Meaning(v1: object["v1"]?.string, v2: object["v2"]?.string, storekit: object["storekit"]?.string)
  }

  func event(_ text: String) -> EventName {
    let parts = text.split(separator: "/", maxSplits: 1)
    return EventName(notificationType: String(parts.first ?? ""), subtype: parts.count > 1 ? String(parts[1]) : nil)
  }

  // MARK: kinds of entries

  func fieldRule() throws(MappingError) -> FieldRule {
    try only(
      ["id", "from", "to", "using", "relation", "confidence", "meaning", "note", "source", "since"] + Self.comparingKeys
    )
    let from = try texts("from")
    let to = element["to"]?.string
    guard let name = to ?? from.first else { throw fault("expected \"from\", \"to\" or both") }
    guard let relation = element["relation"]?.string.flatMap(Relation.init(rawValue:)) else {
      throw fault("\"relation\" is none of \(Relation.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return FieldRule(
      id: element["id"]?.string ?? "\(family).\(name)", family: family, from: from, to: to,
      using: element["using"]?.string, relation: relation, confidence: try confidence(), meaning: try meaning(),
      note: element["note"]?.string, source: try text("source"), since: element["since"]?.string,
      comparing: try comparingNotes())
  }

  func typeRule() throws(MappingError) -> TypeRule {
    try only(
      [
        "id", "type", "all", "none", "to", "candidates", "absorbed", "accepts", "atGraceEnd", "finding",
        "findingMessage",
        "confidence", "meaning", "note", "source",
      ])
    let id = try text("id")
    let parts = id.split(separator: ".")
    guard parts.count > 1, parts[0] == "type" else { throw fault("expected an id \"type.<V1 type>.<variant>\"") }
    let candidates = try self.candidates()
    guard let to = element["to"]?.string.map(event) ?? candidates.first?.event else {
      throw fault("expected \"to\" (\"TYPE/SUBTYPE\") or \"candidates\"")
    }
    var finding: (code: String, message: String)?
    if let code = element["finding"]?.string { finding = (code, try text("findingMessage")) }
    return TypeRule(
      id: id, type: element["type"]?.string ?? String(parts[1]), all: try texts("all"), none: try texts("none"), to: to,
      candidates: candidates, isAbsorbed: element["absorbed"]?.boolean ?? false,
      accepts: try texts("accepts").map(event), atGraceEnd: element["atGraceEnd"]?.string.map(event), finding: finding,
      confidence: candidates.isEmpty ? try confidence() : .ambiguous, meaning: try meaning(),
      note: element["note"]?.string, source: try text("source"))
  }

  private func candidates() throws(MappingError) -> [Candidate] {
    guard let list = element["candidates"] else { return [] }
    var result: [Candidate] = []
    for item in list.children {
      guard let to = item["to"]?.string, let needs = item["needs"]?.string else {
        throw fault("expected candidates of the form {\"to\": \"TYPE/SUBTYPE\", \"needs\": \"…\"}")
      }
      result.append(Candidate(event: event(to), needs: needs))
    }
    guard result.count >= 2 else { throw fault("expected at least two candidates") }
    return result
  }

  func era() throws(MappingError) -> Era {
    let date = try text("date")
    guard let start = Timestamp(day: date) else { throw fault("expected \"date\" as yyyy-MM-dd") }
    return Era(
      id: try text("id"), date: date, milliseconds: start.milliseconds, change: try text("change"),
      effect: element["effect"]?.string, confidence: try confidence(), source: try text("source"))
  }

  /// One event for each name under `to`.
  func serverEvents() throws(MappingError) -> [ServerEvent] {
    try only(
      [
        "id", "to", "test", "inAppOwnershipType", "environment", "revocationType", "present", "trace", "confidence",
        "source",
      ])
    let events = try text("to").split(separator: " ").map { event(String($0)) }
    var test: GapTest?
    if let word = element["test"] {
      guard let known = word.string.flatMap(GapTest.init(rawValue:)) else {
        throw fault("\"test\" is none of \(words(GapTest.self))")
      }
      test = known
    }
    var result: [ServerEvent] = []
    for event in events {
      var server = ServerEvent(
        id: "", event: event, test: test, inAppOwnershipType: element["inAppOwnershipType"]?.string,
        environment: element["environment"]?.string, revocationType: element["revocationType"]?.string,
        present: element["present"]?.string, trace: try text("trace"), confidence: try confidence(),
        source: try text("source"))
      let type = event.notificationType == ServerEvent.anyType ? "any" : event.notificationType
      let parts = [
        type, event.subtype, server.inAppOwnershipType, server.environment, server.revocationType, server.present,
      ]
      server.id = element["id"]?.string ?? (["server"] + parts.compactMap(\.self)).joined(separator: ".")
      result.append(server)
    }
    return result
  }

  func storeKitRule() throws(MappingError) -> StoreKitRule {
    // The entitlement table describes states, not a property: its conditions stand where others have the V2 field.
    let name = try text("storekit")
    let values = element["values"]?.children.map { (storekit: $0.name, v2: $0.string ?? "") } ?? []
    return StoreKitRule(
      id: element["id"]?.string ?? "storekit.\(name)", storekit: name, v2: try text("v2"), meaning: try meaning(),
      values: values, source: try text("source"))
  }

  func values() throws(MappingError) -> [ValueEntry] {
    let of = try text("of")
    let vocabulary = try text("vocabulary")
    let source = try text("source")
    guard let values = element["values"], values.kind == .object else { throw fault("expected an object \"values\"") }
    return values.children.map {
      ValueEntry(of: of, value: $0.name, vocabulary: vocabulary, meaning: $0.string ?? "", source: source)
    }
  }

  func fact() throws(MappingError) -> FactEntry {
    FactEntry(name: try text("fact"), meaning: try text("meaning"))
  }

  func source() throws(MappingError) -> Source {
    Source(key: try text("key"), title: try text("title"), url: element["url"]?.string, pages: element["pages"]?.string)
  }
}
