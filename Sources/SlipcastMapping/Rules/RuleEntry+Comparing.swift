@_spi(Slipcast) internal import SlipcastWire

extension RuleEntry {
  /// The members of a field rule that speak of comparing.
  static let comparingKeys = ["absent", "silentAs", "untold", "follows", "compare", "relations"]

  func comparingNotes() throws(MappingError) -> ComparingNotes {
    var notes = ComparingNotes(
      absent: element["absent"]?.string, silentAs: element["silentAs"]?.string, follows: element["follows"]?.string)
    if let compare = element["compare"] {
      guard let way = compare.string.flatMap(ComparingRule.Way.init(rawValue:)) else {
        throw fault("\"compare\" is none of \(words(ComparingRule.Way.self))")
      }
      notes.compare = way
    }
    for member in element["untold"]?.children ?? [] {
      guard let states = member.string else { throw fault("expected \"untold\": {\"V2 value\": \"absent …\"}") }
      notes.untold[member.name] = states.split(separator: " ").map(String.init)
    }
    for member in element["relations"]?.children ?? [] {
      guard let relation = member.string.flatMap(Relation.init(rawValue:)) else {
        throw fault("\"relations\": \"\(member.name)\" is none of \(words(Relation.self))")
      }
      notes.relations[member.name] = relation
    }
    return notes
  }

  func comparingRule() throws(MappingError) -> ComparingRule {
    try only(["id", "class", "milliseconds", "meaning", "confidence", "source"])
    let id = try text("id")
    let prefix = "compare."
    guard id.hasPrefix(prefix), let way = ComparingRule.Way(rawValue: String(id.dropFirst(prefix.count))) else {
      throw fault("expected an id \"compare.\" and one of \(words(ComparingRule.Way.self))")
    }
    guard let differenceClass = DifferenceClass(rawValue: try text("class")) else {
      throw fault("\"class\" is none of \(words(DifferenceClass.self))")
    }
    let milliseconds = element["milliseconds"]?.integer ?? 0
    guard milliseconds >= 0 else { throw fault("\"milliseconds\" is negative") }
    return ComparingRule(
      id: id, way: way, differenceClass: differenceClass, milliseconds: milliseconds, meaning: try text("meaning"),
      confidence: try confidence(), source: try text("source"))
  }

  private func words<Word: CaseIterable & RawRepresentable>(_ words: Word.Type) -> String
  where Word.RawValue == String {
    words.allCases.map(\.rawValue).joined(separator: ", ")
  }
}
