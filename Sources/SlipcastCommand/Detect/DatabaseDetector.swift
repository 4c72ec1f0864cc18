import SlipcastBulk
import SlipcastStores
import SlipcastWire

/// Detects the tables of a database that hold records, and the parameters of the location that read them.
enum DatabaseDetector {
  static func detect(_ name: String) async throws -> [DetectedInput] {
    let location = try StoreLocation(name)
    if case .query? = location.selection?.origin {
      let found = try await SourceDetector.detect(try Store.rows(location))
      return [DetectedInput(Databases.withoutPassword(name), found)]
    }
    guard let tables = try DatabaseTable.all(of: location) else {
      return [DetectedInput(Databases.withoutPassword(name), Detection(form: .store))]
    }
    let wanted: String? = if case .table(let table)? = location.selection?.origin { table } else { nil }
    let base = Self.base(name, location)
    var found: [DetectedInput] = []
    for table in tables where wanted.map({ $0 == table.name }) ?? true { found.append(try await detect(table, base)) }
    guard !found.isEmpty else {
      var nothing = Detection(form: .unknown)
      nothing.fault =
        "no table found" + (tables.isEmpty ? "" : "; its tables are \(UsageError.list(tables.map(\.name)))")
      return [DetectedInput(Databases.withoutPassword(name), nothing)]
    }
    // Other tables of an application are no sources.
    let holding = found.filter(\.isReadable)
    return holding.isEmpty ? found : holding
  }

  private static func detect(_ table: DatabaseTable, _ base: String) async throws -> DetectedInput {
    var columns: [(name: String, found: Detection)] = []
    for column in table.columns where ShownName.isName(column) {
      let feed = try Store.rows(try StoreLocation(location(base, [("table", table.name), ("body", column)])))
      columns.append((column, try await SourceDetector.detect(feed)))
    }
    let found = SourceDetector.detection(of: columns)
    var parameters = [("table", table.name)]
    var input = DetectedInput("", found)
    input.options = []
    let names = Dictionary(
      found.profile.columns.map { ($0.pointer.optionValue, $0.pointer.tokens[0]) }, uniquingKeysWith: { one, _ in one })
    func named(_ option: String) -> String? {
      found.options.first { $0.name == option }?.value.flatMap { names[$0] }
    }
    let known = table.key.flatMap { ShownName.isName($0) ? $0 : nil }
    if let key = known ?? named("id") { parameters.append(("key", key)) }
    if let body = named("body") { parameters.append(("body", body)) }
    if let time = named("received-at") { parameters.append(("received-at", time)) }
    input.choices = found.choices.filter { $0.option != "id" || known == nil }
      .map { Detection.Choice($0.option == "id" ? "key" : $0.option, $0.values) }
    input.name = Databases.withoutPassword(location(base, parameters))
    return input
  }

  // MARK: locations

  /// The location without the parameters that name rows.
  private static func base(_ name: String, _ location: StoreLocation) -> String {
    if case .sqlite(let path) = location.engine { return "sqlite:" + SourcePath.escaped(path) }
    let own: Set = ["table", "query", "key", "body", "received-at"]
    let halves = name.split(separator: "?", maxSplits: 1)
    let kept = halves.dropFirst().joined().split(separator: "&").filter {
      !own.contains(String($0.prefix { $0 != "=" }))
    }
    return String(halves[0]) + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
  }

  private static func location(_ base: String, _ parameters: [(name: String, value: String)]) -> String {
    let text = parameters.map { "\($0.name)=\(escaped($0.value))" }.joined(separator: "&")
    return base + (base.contains("?") ? "&" : "?") + text
  }

  /// A value with everything percent-encoded that may mean something in a location.
  private static func escaped(_ value: String) -> String {
    value.utf8.map { byte in
      let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "_-.".utf8.contains(byte)
      return isPlain
        ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
