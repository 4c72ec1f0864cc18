package import SlipcastSystem

/// A network location that is not read, with the commands that make its records readable.
///
/// A password in it is in no message: the commands ask for it.
package enum ForeignLocation {
  /// Refuses such a location.
  package static func check(_ text: String) throws(FileError) {
    if let advice = advice(for: text) { throw FileError(path: name(of: text), doing: "read", reason: advice) }
  }

  /// What to do instead; `nil` for any other text.
  static func advice(for text: String) -> String? {
    guard let mark = text.firstRange(of: "://") else { return nil }
    let scheme = text[..<mark.lowerBound].lowercased()
    let parts = Parts(text[mark.upperBound...])
    return switch scheme {
    case "mysql", "mariadb": table(parts)
    case "mongodb", "mongodb+srv": collection(parts, scheme)
    case "s3": copied(parts, "s3", file: "aws s3 cp", folder: "aws s3 cp --recursive")
    case "gs": copied(parts, "gs", file: "gcloud storage cp", folder: "gcloud storage rsync --recursive")
    case "http", "https": download(parts, scheme)
    default: nil
    }
  }

  /// A location without its password and parameters.
  private static func name(of text: String) -> String {
    guard let mark = text.firstRange(of: "://") else { return text }
    let parts = Parts(text[mark.upperBound...])
    return "\(text[..<mark.lowerBound])://\(parts.host ?? "…")/\(parts.path ?? "")"
  }

  /// The parts of a location that a shell takes as they are.
  private struct Parts {
    var user: String?
    var host: String?
    var port: String?
    var path: String?
    /// There is a path, plain or not.
    let hasPath: Bool
    /// The parameter `table` or `collection`.
    var table: String?

    init(_ text: Substring) {
      let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      let whole = halves[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      // A password may contain the sign, too.
      let sides = whole[0].split(separator: "@", omittingEmptySubsequences: false)
      let address = (sides.last ?? "").split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      user = sides.count > 1 ? Self.plain(sides[0].prefix { $0 != ":" }) : nil
      host = Self.plain(address[0])
      port = address.count > 1 ? Self.plain(address[1]) : nil
      hasPath = whole.count > 1 && !whole[1].isEmpty
      path = whole.count > 1 ? Self.plain(whole[1]) : nil
      guard halves.count > 1 else { return }
      for parameter in halves[1].split(separator: "&") {
        let pair = parameter.split(separator: "=", maxSplits: 1)
        if pair.count == 2, ["table", "collection"].contains(pair[0]) { table = Self.plain(pair[1]) }
      }
    }

    private static func plain(_ text: Substring) -> String? {
      ForeignForm.isPlain(text) && !text.isEmpty && !text.hasPrefix("-") ? String(text) : nil
    }
  }

  private static func table(_ parts: Parts) -> String {
    let port = parts.port.map { " --port=\($0)" } ?? ""
    let table = parts.table ?? "TABLE"
    return
      "MySQL and MariaDB are not read over the network; write the table as TSV: mysql --host=\(parts.host ?? "HOST")"
      + "\(port) --user=\(parts.user ?? "USER") --password --default-character-set=utf8mb4 --quick --batch "
      + "\(parts.path ?? "DATABASE") -e 'SELECT * FROM \(table)' > rows.tsv, then read rows.tsv with --tsv copy "
      + "--body /COLUMN"
  }

  private static func collection(_ parts: Parts, _ scheme: String) -> String {
    let user = parts.user.map { "\($0)@" } ?? ""
    let port = parts.port.map { ":\($0)" } ?? ""
    let uri = "\(scheme)://\(user)\(parts.host ?? "HOST")\(port)/\(parts.path ?? "DATABASE")"
    return "MongoDB is not read over the network; write the collection as NDJSON: mongoexport --uri='\(uri)' "
      + "--collection=\(parts.table ?? "COLLECTION") --out=rows.ndjson, then read rows.ndjson with --body /MEMBER"
  }

  /// An object, or all of a folder when the name ends with a slash.
  private static func copied(_ parts: Parts, _ scheme: String, file: String, folder: String) -> String {
    let (bucket, key) = (parts.host ?? "BUCKET", parts.path ?? (parts.hasPath ? "KEY" : ""))
    let start = "buckets are not read over the network; copy it first: "
    if key.isEmpty || key.hasSuffix("/") {
      return start + "mkdir -p exports && \(folder) \(scheme)://\(bucket)/\(key) exports, then read the folder exports"
    }
    let name = key.split(separator: "/").last.map(String.init) ?? key
    return start + "\(file) \(scheme)://\(bucket)/\(key) \(name), then read \(name)"
  }

  private static func download(_ parts: Parts, _ scheme: String) -> String {
    let port = parts.port.map { ":\($0)" } ?? ""
    let name = parts.path?.split(separator: "/").last.map(String.init) ?? "FILE"
    return "addresses are not read over the network; load it first: curl --fail --location --output \(name) "
      + "'\(scheme)://\(parts.host ?? "HOST")\(port)/\(parts.path ?? "PATH")', then read \(name)"
  }
}
