@_spi(Slipcast) internal import SlipcastWire

/// A built-in file of the decision table: what every run needs of it; its rows are read when a record of the type comes.
final class DecisionFile: Sendable {
  /// The V1 type that its rows are about.
  let type: String
  /// The place of its first row in the whole table.
  let start: Int
  private let file: RuleFile
  private let read = Later<ReadRules>()

  init(_ file: RuleFile, type: String, start: Int) { (self.file, self.type, self.start) = (file, type, start) }

  /// Its rows.
  func rows(_ windows: WindowWords?) -> ReadRules {
    read.value {
      var read = ReadRules()
      file.read(into: &read)
      if let windows { read.fillIn(windows) }
      return read
    }
  }
}

/// The heads of the built-in files of the decision table: the V1 types, and which V2 events their rows name.
struct DecisionHeads {
  private(set) var files: [DecisionFile] = []
  private(set) var types: [LegacyTypeEntry] = []
  /// As rules spell them, each once, in their order.
  private var named: [String] = []
  private var count = 0

  /// The events that rows name, in their order.
  var events: [EventName] { named.map(EventName.init(spelled:)) }

  /// Adds a file.
  ///
  /// - Throws: `JSONError` for a text that is not JSON; only a broken build can cause it.
  mutating func add(_ file: RuleFile) throws(JSONError) {
    let buffer = JSONBuffer(file.bytes)
    let reader = JSONReader(names: [])
    let root = JSONElement(tape: try reader.read(buffer))
    defer { withExtendedLifetime((buffer, reader)) {} }
    var type = LegacyTypeEntry.anyOther
    if let event = root["event"] {
      let text = RuleText(file: file.name, bytes: [])
      if let entry = LegacyTypeEntry(RuleEntry(event, in: text, family: file.family, isChecked: false)) {
        types.append(entry)
        type = entry.name
      }
    }
    files.append(DecisionFile(file, type: type, start: count))
    for row in root["rules"]?.children ?? [] {
      addEvents(of: row)
      count += 1
    }
  }

  /// Adds what `TypeRule.named` has of a row that was read.
  private mutating func addEvents(of row: JSONElement) {
    let (candidates, otherwise) = (row["candidates"]?.children ?? [], row["otherwise"]?.children ?? [])
    add(row["to"])
    for candidate in candidates { add(candidate["to"]) }
    for event in row["accepts"]?.children ?? [] { add(event) }
    for candidate in otherwise { add(candidate["to"]) }
  }

  private mutating func add(_ event: JSONElement?) {
    guard let event, event.kind == .string else { return }
    let text = event.tape.text(event.index)
    // A text is compared before it becomes a string: rows name few events many times.
    if !named.contains(where: { text.isSame(as: $0) }) { named.append(text.string) }
  }
}
