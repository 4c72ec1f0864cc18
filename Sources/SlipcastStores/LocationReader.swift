internal import SlipcastWire

/// Parses locations; its errors never repeat a value.
enum LocationReader {
  /// Slipcast's own parameters.
  private static let names = ["table", "query", "key", "body", "received-at"]

  static func error(_ reason: String, advice: String = "") -> StoreError {
    StoreError(.badLocation, "", "read the location", reason, advice: advice)
  }

  static let unknownScheme = error(
    "unknown scheme before ://", advice: "write sqlite:FILE or postgresql://…, in lower case")

  static func sqlite(_ text: Substring) throws(StoreError) -> StoreLocation {
    let parts = split(text)
    var path = try decode(parts.path, "the path")
    if path.hasPrefix("//") { path.removeFirst(2) }
    guard !path.isEmpty else { throw error("sqlite: names no file", advice: "write sqlite:FILE") }
    let selection = try selection(parameters(parts.parameters, others: []).own)
    return StoreLocation(
      engine: .sqlite(path: path), selection: selection, description: "sqlite:" + path + suffix(selection))
  }

  static func postgreSQL(_ text: String) throws(StoreError) -> StoreLocation {
    let parts = split(Substring(text))
    let (own, kept) = try parameters(parts.parameters, others: PostgreSQLConnection.parameterNames)
    let uri = String(parts.path) + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    // libpq's own message would repeat the faulty part, which may be the password.
    guard let connection = PostgreSQLConnection.parameters(of: uri) else {
      throw error("libpq does not understand the connection", advice: form)
    }
    try refuseMisreadPassword(connection)
    let selection = try selection(own)
    return StoreLocation(
      engine: .postgreSQL(ConnectionText(uri: uri)), selection: selection,
      description: describe(connection) + suffix(selection))
  }

  /// Slipcast's own parameters, and those of the database as they are written.
  private static func parameters(
    _ parameters: [(name: String, value: String)], others: [String]
  ) throws(StoreError) -> (own: [String: String], kept: [String]) {
    var (own, kept) = ([String: String](), [String]())
    for parameter in parameters {
      let name = try decode(parameter.name, "the name of a parameter")
      if names.contains(name) {
        guard own.updateValue(try decode(parameter.value, name), forKey: name) == nil else {
          throw error("\(name) is given twice", advice: "give it once")
        }
      } else if others.contains(name) || name == "ssl" && !others.isEmpty {
        kept.append(parameter.name + "=" + parameter.value)
      } else {
        throw unknown(name, among: names + others)
      }
    }
    return (own, kept)
  }

  private static let form =
    "write postgresql://user:password@host:port/database; %, /, ?, @ and : in a password as %25, %2F, %3F, %40, %3A"

  /// A password with an unescaped `@` or `/` is split, and half of it is read as a host, a port or a database.
  private static func refuseMisreadPassword(_ connection: [String: String]) throws(StoreError) {
    let port = connection["port"] ?? ""
    let others = ["host", "hostaddr", "user", "dbname"].compactMap { connection[$0] }
    guard
      others.contains(where: { $0.contains("@") || LocationWords.isPart($0) })
        || (connection["user"] ?? "").contains(":")
        || !port.allSatisfy({ $0.isNumber || $0 == "," })
    else { return }
    throw error("a host, a port or a database has a sign that none has", advice: form)
  }

  /// `postgresql://user@host:port/database`, as far as it is given.
  private static func describe(_ connection: [String: String]) -> String {
    var text = "postgresql://"
    if let user = connection["user"] { text += user + "@" }
    text += connection["host"] ?? connection["hostaddr"] ?? ""
    if let port = connection["port"] { text += ":" + port }
    return text + "/" + (connection["dbname"] ?? "")
  }

  private static func suffix(_ selection: StoreLocation.Selection?) -> String {
    switch selection?.origin {
    case .table(let name): "?table=" + name
    case .query: "?query"
    case nil: ""
    }
  }

  private static func selection(_ own: [String: String]) throws(StoreError) -> StoreLocation.Selection? {
    var selection: StoreLocation.Selection
    switch (own["table"], own["query"]) {
    case (nil, nil):
      guard own.isEmpty else {
        throw error("key, body and received-at name columns, and no table is named", advice: "add table=NAME")
      }
      return nil
    case (let table?, nil):
      // The location of another database may hold a password, and the name of a table is shown.
      guard !LocationWords.isPart(table) else {
        throw error("table is a location, not the name of a table", advice: "write table=NAME")
      }
      selection = StoreLocation.Selection(.table(table))
    case (nil, let query?): selection = StoreLocation.Selection(.query(query))
    default: throw error("both table and query are set", advice: "use one of them")
    }
    for (name, value) in own where value.isEmpty { throw error("\(name) is empty", advice: "write \(name)=…") }
    if let body = own["body"] { selection.body = body }
    (selection.key, selection.receivedAt) = (own["key"], own["received-at"])
    return selection
  }

  private static func split(_ text: Substring) -> (path: Substring, parameters: [(name: String, value: String)]) {
    guard let mark = text.firstIndex(of: "?") else { return (text, []) }
    let parameters = text[mark...].dropFirst().split(separator: "&").map { part -> (String, String) in
      let sign = part.firstIndex(of: "=")
      guard let sign else { return (String(part), "") }
      return (String(part[..<sign]), String(part[sign...].dropFirst()))
    }
    return (text[..<mark], parameters)
  }

  private static func decode(_ text: some StringProtocol, _ what: String) throws(StoreError) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.count >= 2, value > 0
      else { throw error("\(what) has a % that two hexadecimal digits do not follow", advice: "write %25 for %") }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else { throw error("\(what) is not UTF-8") }
    return decoded
  }

  private static func unknown(_ name: String, among known: [String]) -> StoreError {
    let nearest = Suggestion.closest(to: name, among: known)
    // Text that is not a word may be the rest of a password with an unescaped question mark.
    let shown = name.allSatisfy { $0.isLetter || $0 == "-" || $0 == "_" } ? name : "of that name"
    return error(
      "unknown parameter \(shown)",
      advice: nearest.map { "did you mean \($0)?" } ?? "expected one of \(names.joined(separator: ", "))")
  }
}
