@_spi(Slipcast) internal import SlipcastWire

extension RuleEntry {
  /// The members of a field rule that speak of comparing.
  static let comparingKeys = [
    "absent", "silentAs", "undecidable", "untold", "follows", "compare", "relations", "tolerance",
  ]

  func comparingNotes() throws(MappingError) -> ComparingNotes {
    var notes = ComparingNotes(
      absent: try optionalText("absent"), silentAs: try optionalText("silentAs"), follows: try optionalText("follows"))
    if let text = try optionalText("compare") {
      guard let way = ComparingRule.Way(rawValue: text) else {
        throw fault("\"compare\" is none of \(words(ComparingRule.Way.self))")
      }
      notes.compare = way
    }
    notes.undecidable = try optionalText("undecidable")
    if let tolerance = element["tolerance"] {
      guard let milliseconds = tolerance.integer, milliseconds >= 0 else {
        throw fault("\"tolerance\" is a number of milliseconds from 0 on")
      }
      notes.tolerance = milliseconds
    }
    for (name, text) in try members("untold") {
      let states = text.split(separator: " ").map(String.init)
      guard !states.isEmpty else { throw fault("\"untold\": \"\(name)\" needs the values of the cast, or absent") }
      notes.untold[name] = states
    }
    for (name, text) in try members("relations") {
      guard let relation = Relation(rawValue: text) else {
        throw fault("\"relations\": \"\(name)\" is none of \(words(Relation.self))")
      }
      notes.relations[name] = relation
    }
    return notes
  }

  private func optionalText(_ name: String) throws(MappingError) -> String? {
    element[name] == nil ? nil : try text(name)
  }

  /// An object of strings; nothing when it is left out.
  private func members(_ name: String) throws(MappingError) -> [(name: String, text: String)] {
    guard let object = element[name] else { return [] }
    guard object.kind == .object else { throw fault("expected an object of strings \"\(name)\"") }
    var members: [(name: String, text: String)] = []
    for child in object.children {
      guard let text = child.string else { throw fault("expected an object of strings \"\(name)\"") }
      members.append((child.name, text))
    }
    return members
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
    let milliseconds = element["milliseconds"].map { $0.integer ?? -1 } ?? 0
    guard milliseconds >= 0 else { throw fault("\"milliseconds\" is a number from 0 on") }
    return ComparingRule(
      id: id, way: way, differenceClass: differenceClass, milliseconds: milliseconds, meaning: try text("meaning"),
      confidence: try confidence(), source: try text("source"))
  }

  func words<Word: CaseIterable & RawRepresentable>(_ words: Word.Type) -> String
  where Word.RawValue == String {
    words.allCases.map(\.rawValue).joined(separator: ", ")
  }
}
