internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

extension RuleEntry {
  func fieldRule() -> FieldRule {
    only(
      ["id", "from", "to", "using", "relation", "confidence", "meaning", "note", "source", "since"] + Self.comparingKeys
    )
    let from = texts("from")
    let to = optionalText("to")
    let id = optionalText("id")
    if element["from"] == nil, element["to"] == nil { fault("expected \"from\", \"to\" or both") }
    // Whether it is a rule without a V2 side cannot be said then.
    let isTargetUnclear = to == nil && (element["to"] != nil || from.isEmpty)
    let relation = word("relation", Relation.self) ?? (to == nil ? .legacyOnly : .identical)
    let note = optionalText("note")
    let confidence = self.confidence()
    if confidence == .ambiguous { fault("only rows of the decision table are ambiguous", at: "confidence") }
    return FieldRule(
      id: id ?? (to ?? from.first).map { "\(family).\($0)" } ?? substituteID, family: family, from: from, to: to,
      using: optionalText("using"), relation: isTargetUnclear ? .legacyOnly : relation, confidence: confidence,
      meaning: meaning(), note: isTargetUnclear ? note ?? "" : note, source: text("source") ?? "",
      since: optionalText("since"), comparing: comparingNotes())
  }

  func typeRule() -> TypeRule {
    only([
      "id", "type", "all", "none", "to", "candidates", "otherwise", "absorbed", "accepts", "atGraceEnd", "finding",
      "findingMessage", "settledBy", "contradictedBy", "doubtedBy", "doubtedAs", "confidence", "meaning", "brief",
      "note", "source",
    ])
    let id = text("id")
    let parts = id?.parts(at: ".") ?? []
    let isNamed = parts.count > 1 && parts[0] == "type"
    if id != nil, !isNamed { fault("expected an id \"type.<V1 type>.<variant>\"", at: "id") }
    let candidates = self.candidates("candidates")
    let to = optionalText("to").map(event) ?? candidates.first?.event
    if to == nil, element["to"] == nil, element["candidates"] == nil {
      fault("expected \"to\" (\"TYPE/SUBTYPE\") or \"candidates\"")
    }
    let isAmbiguous = element["candidates"] != nil
    let confidence = self.confidence()
    if confidence == .ambiguous, !isAmbiguous { fault("an ambiguous row needs \"candidates\"", at: "confidence") }
    if isAmbiguous, element["to"] != nil { fault("a row has \"to\" or \"candidates\", not both", at: "to") }
    if isAmbiguous, element["absorbed"] != nil { fault("\"absorbed\" belongs into the candidates", at: "absorbed") }
    return TypeRule(
      id: id ?? substituteID, type: optionalText("type") ?? (isNamed ? parts[1] : "*"), all: texts("all"),
      none: texts("none"), to: to ?? EventName(notificationType: "*"), candidates: candidates,
      isAbsorbed: flag("absorbed"), accepts: texts("accepts").map(event),
      atGraceEnd: optionalText("atGraceEnd").map(event), finding: finding(),
      confidence: isAmbiguous ? .ambiguous : confidence, settledBy: texts("settledBy"),
      otherwise: self.candidates("otherwise"), contradictedBy: texts("contradictedBy"),
      doubtedBy: texts("doubtedBy"), doubtedAs: optionalText("doubtedAs"), meaning: meaning(),
      brief: optionalText("brief"),
      note: optionalText("note"), source: text("source") ?? "")
  }

  private func finding() -> (code: String, message: String)? {
    guard let code = optionalText("finding"), let message = text("findingMessage") else { return nil }
    return (code, message)
  }

  private func candidates(_ member: String) -> [Candidate] {
    guard let list = element[member] else { return [] }
    let form = "expected \(member) of the form {\"to\": \"TYPE/SUBTYPE\", \"needs\": \"…\"}"
    guard list.kind == .array else {
      fault(form, at: member)
      return []
    }
    var result: [Candidate] = []
    for item in list.children {
      guard let to = item["to"]?.string, let needs = item["needs"]?.string else {
        fault(form, in: item)
        continue
      }
      let settledBy = item["settledBy"]
      if let settledBy, settledBy.kind != .array || settledBy.children.contains(where: { $0.string == nil }) {
        fault("expected an array of strings \"settledBy\"", in: settledBy)
      }
      let disprovedBy = item["disprovedBy"]
      if let disprovedBy, disprovedBy.kind != .array || disprovedBy.children.contains(where: { $0.string == nil }) {
        fault("expected an array of strings \"disprovedBy\"", in: disprovedBy)
      }
      result.append(
        Candidate(
          event: event(to), needs: needs, isAbsorbed: item["absorbed"]?.boolean == true,
          settledBy: settledBy?.children.compactMap(\.string) ?? [],
          disprovedBy: disprovedBy?.children.compactMap(\.string) ?? []))
    }
    if member == "candidates", list.children.count < 2 { fault("expected at least two candidates", at: "candidates") }
    for (place, candidate) in result.enumerated()
    where result[..<place].contains(where: { $0.event == candidate.event && $0.isAbsorbed == candidate.isAbsorbed }) {
      fault("\(candidate.event) is listed twice", at: member)
    }
    return result
  }

  func era() -> Era {
    only(["id", "date", "change", "effect", "confidence", "source"])
    let date = text("date")
    let start = date.flatMap(Timestamp.init(day:))
    if date != nil, start == nil { fault("expected \"date\" as yyyy-MM-dd", at: "date") }
    return Era(
      id: text("id") ?? substituteID, date: date ?? "", milliseconds: start?.milliseconds ?? 0,
      change: text("change") ?? "", effect: optionalText("effect"), confidence: confidence(),
      source: text("source") ?? "")
  }

  /// One event for each name under `to`.
  func serverEvents() -> [ServerEvent] {
    only([
      "id", "to", "test", "candidates", "sentByV1", "inAppOwnershipType", "environment", "revocationType", "present",
      "trace", "confidence", "source",
    ])
    let events = (text("to") ?? "").parts(at: " ").map(event)
    let test = element["test"] == nil ? nil : word("test", GapTest.self)
    let id = optionalText("id")
    let any = ServerEvent(
      id: id ?? "", event: event(""), test: test,
      traced: tracedEvents(), isSent: flag("sentByV1"),
      inAppOwnershipType: optionalText("inAppOwnershipType"), environment: optionalText("environment"),
      revocationType: optionalText("revocationType"), present: optionalText("present"), trace: text("trace") ?? "",
      confidence: confidence(), source: text("source") ?? "")
    let limits = [any.inAppOwnershipType, any.environment, any.revocationType, any.present]
    return events.map { event in
      var server = any
      server.event = event
      let type = event.notificationType == ServerEvent.anyType ? "any" : event.notificationType
      let parts = ["server", type, event.subtype] + limits
      if id == nil { server.id = parts.compactMap(\.self).joined(separator: ".") }
      return server
    }
  }

  func storeKitRule() -> StoreKitRule {
    only(["id", "storekit", "v2", "meaning", "values", "source"])
    let name = text("storekit") ?? substituteID
    return StoreKitRule(
      id: optionalText("id") ?? "storekit.\(name)", storekit: name, v2: text("v2") ?? "", meaning: meaning(),
      values: members("values").map { (storekit: $0.name, v2: $0.text) }, source: text("source") ?? "")
  }

  func values() -> [ValueEntry] {
    only(["of", "vocabulary", "values", "source"])
    let (of, vocabulary, source) = (text("of"), text("vocabulary"), text("source"))
    if element["values"] == nil { fault("expected an object \"values\"") }
    return members("values").map {
      ValueEntry(
        of: of ?? substituteID, value: $0.name, vocabulary: vocabulary ?? "", meaning: $0.text, source: source ?? "")
    }
  }

  func wordFamily() -> WordFamily {
    only(["of", "is", "about", "words"])
    if element["words"] == nil { fault("expected an object \"words\"") }
    return WordFamily(
      of: text("of") ?? substituteID, title: text("is") ?? "", about: text("about") ?? "",
      words: members("words").map { WordFamily.Word(name: $0.name, meaning: $0.text) })
  }

  func fact() -> FactEntry? {
    only(["fact", "meaning", "source"])
    let meaning = text("meaning")
    return text("fact").map { FactEntry(name: $0, meaning: meaning ?? "", source: optionalText("source")) }
  }

  func archiveFact() -> FactEntry? {
    only(["fact", "meaning", "source", "or"] + ArchiveFactRow.members)
    let meaning = text("meaning")
    guard let name = text("fact"), let rows = ArchiveFactRow.all(of: self) else { return nil }
    return FactEntry(name: name, meaning: meaning ?? "", source: optionalText("source"), rows: rows)
  }

  func source() -> Source {
    only(["key", "title", "url", "pages"])
    return Source(
      key: text("key") ?? substituteID, title: text("title") ?? "", url: optionalText("url"),
      pages: optionalText("pages"))
  }
}
