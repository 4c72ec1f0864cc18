@_spi(Slipcast) internal import SlipcastWire

extension RuleEntry {
  /// The members of a field rule that speak of comparing.
  static let comparingKeys = [
    "absent", "silentAs", "undecidable", "untold", "mayBe", "follows", "compare", "relations", "tolerance", "state",
    "ofPeriod",
  ]

  func comparingNotes() -> ComparingNotes {
    var notes = ComparingNotes(
      absent: givenText("absent"), silentAs: givenText("silentAs"), follows: givenText("follows"))
    if element["compare"] != nil { notes.compare = word("compare", ComparingRule.Way.self) }
    notes.undecidable = givenText("undecidable")
    (notes.isState, notes.isOfPeriod) = (flag("state"), flag("ofPeriod"))
    if let tolerance = element["tolerance"] {
      let milliseconds = tolerance.integer.flatMap { $0 >= 0 ? $0 : nil }
      if milliseconds == nil { fault("\"tolerance\" is a number of milliseconds from 0 on", at: "tolerance") }
      notes.tolerance = milliseconds
    }
    for (name, text) in members("untold") {
      let states = text.parts(at: " ")
      if states.isEmpty { fault("\"untold\": \"\(name)\" needs the converted values, or absent", at: "untold") }
      notes.untold[name] = states
    }
    for (name, text) in members("mayBe") {
      let states = text.parts(at: " ")
      if states.isEmpty { fault("\"mayBe\": \"\(name)\" needs the converted values", at: "mayBe") }
      notes.mayBe[name] = states
    }
    for (name, text) in members("relations") {
      let relation = Relation(rawValue: text)
      if relation == nil { fault("\"relations\": \"\(name)\" is not one of \(words(Relation.self))", at: "relations") }
      notes.relations[name] = relation
    }
    return notes
  }

  /// A text that may be missing, and is not empty.
  private func givenText(_ name: String) -> String? { element[name] == nil ? nil : text(name) }

  func comparingRule() -> ComparingRule? {
    only(["id", "class", "milliseconds", "meaning", "confidence", "source"])
    let id = text("id")
    let way = ComparingRule.Way.allCases.first { id == "compare.\($0.rawValue)" }
    if id != nil, way == nil {
      fault("expected an id \"compare.\" and one of \(words(ComparingRule.Way.self))", at: "id")
    }
    let milliseconds = element["milliseconds"].map { $0.integer ?? -1 } ?? 0
    if milliseconds < 0 { fault("\"milliseconds\" is a number from 0 on", at: "milliseconds") }
    let rule = ComparingRule(
      id: id ?? "", way: way ?? .event, differenceClass: word("class", DifferenceClass.self) ?? .semantic,
      milliseconds: max(0, milliseconds), meaning: text("meaning") ?? "", confidence: confidence(),
      source: text("source") ?? "")
    return way == nil ? nil : rule
  }
}
