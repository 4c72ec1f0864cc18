internal import CSlipcastPostgreSQL

extension PostgreSQLConnection {
  /// The parameters that libpq knows, by name.
  static let parameterNames: [String] = {
    guard let options = PQconndefaults() else { return [] }
    defer { PQconninfoFree(options) }
    return list(options).map(\.name)
  }()

  /// The parts of a connection URI that may be shown; `nil` when libpq does not understand it.
  static func parameters(of uri: String) -> [String: String]? {
    var message: UnsafeMutablePointer<CChar>?
    let parsed = PQconninfoParse(uri, &message)
    defer { PQfreemem(message) }
    guard let parsed else { return nil }
    defer { PQconninfoFree(parsed) }
    var found: [String: String] = [:]
    for (name, value) in list(parsed) where ["host", "hostaddr", "port", "user", "dbname"].contains(name) {
      found[name] = value.map { String(cString: $0) }
    }
    return found
  }

  private static func list(
    _ first: UnsafeMutablePointer<PQconninfoOption>
  ) -> [(name: String, value: UnsafeMutablePointer<CChar>?)] {
    var found: [(name: String, value: UnsafeMutablePointer<CChar>?)] = []
    var option = first
    while let keyword = option.pointee.keyword {
      found.append((String(cString: keyword), option.pointee.val))
      option += 1
    }
    return found
  }
}
