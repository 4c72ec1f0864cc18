internal import CSlipcastPostgreSQL

extension PostgreSQLConnection {
  /// The parameters that libpq knows, by name.
  static let parameterNames: [String] = {
    guard let options = PQconndefaults() else { return [] }
    defer { PQconninfoFree(options) }
    var (names, option): ([String], _) = ([], options)
    while let keyword = option.pointee.keyword {
      names.append(String(cString: keyword))
      option += 1
    }
    return names
  }()

  /// The parts of a connection URI that may be shown; `nil` when libpq does not understand it.
  static func parameters(of uri: String) -> [String: String]? {
    guard let parsed = PQconninfoParse(uri, nil) else { return nil }
    defer { PQconninfoFree(parsed) }
    var found: [String: String] = [:]
    var option = parsed
    while let keyword = option.pointee.keyword {
      let name = String(cString: keyword)
      if ["host", "hostaddr", "port", "user", "dbname"].contains(name) {
        found[name] = option.pointee.val.map { String(cString: $0) }
      }
      option += 1
    }
    return found
  }
}
