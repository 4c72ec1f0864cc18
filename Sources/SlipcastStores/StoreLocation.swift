/// A database, and what is wanted of it: a Slipcast store, or rows that hold legacy records.
///
/// `sqlite:FILE` and `postgresql://host/database` name a store. With `?table=NAME` or `?query=SELECT` they name rows, and
/// `key=COLUMN`, `body=COLUMN` (`body` unless told otherwise) and `received-at=COLUMN` say what stands where. Names and
/// values may be percent-encoded. All other parameters of a PostgreSQL location are libpq's own.
public struct StoreLocation: Hashable, Sendable, CustomStringConvertible {
  /// The program that keeps the data.
  package enum Engine: Hashable, Sendable {
    case sqlite(path: String)
    case postgreSQL(ConnectionText)
  }

  /// Which rows hold legacy records, and in which columns.
  package struct Selection: Hashable, Sendable {
    /// Where rows come from.
    package enum Origin: Hashable, Sendable {
      /// A table or a view, with its schema before a dot where it is not the current one.
      case table(String)
      /// A `SELECT` statement of the user's.
      case query(String)
    }

    package var origin: Origin
    /// The column with the legacy record.
    package var body = "body"
    /// The column that rows are ordered by and told apart; without it a run cannot go on after an interruption.
    package var key: String?
    /// The column with the time at which the record was received.
    package var receivedAt: String?

    package init(_ origin: Origin) { self.origin = origin }
  }

  package var engine: Engine
  /// Rows with legacy records; `nil` for a Slipcast store.
  package var selection: Selection?
  /// The location as errors, logs and rejects call it: no password, no text of a query.
  public let description: String

  package init(engine: Engine, selection: Selection?, description: String) {
    (self.engine, self.selection, self.description) = (engine, selection, description)
  }

  /// A Slipcast store is meant, not rows with legacy records.
  package var isStore: Bool { selection == nil }

  /// Tells whether a text means a database: by its beginning, by its ending, or by the bytes of the file there.
  package static func isLocation(_ text: String) -> Bool {
    if prefixes.contains(where: { text.hasPrefix($0) }) || hasScheme(text) { return true }
    if endings.contains(where: { text.hasSuffix($0) }) { return StoreFile.look(text) != .other }
    return StoreFile.look(text) == .database
  }

  /// The same for a place to write to: a name with the ending of a database means one, whatever stands there now.
  package static func isTarget(_ text: String) -> Bool {
    isLocation(text) || endings.contains { text.hasSuffix($0) } && !StoreFile.isFolder(text)
  }

  /// Reads a location.
  ///
  /// - Throws: `StoreError` of the kind `badLocation` that says what is wrong and what may be meant.
  public init(_ text: String) throws(StoreError) {
    if text.hasPrefix("sqlite:") {
      self = try LocationReader.sqlite(text.dropFirst("sqlite:".count))
    } else if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
      self = try LocationReader.postgreSQL(text)
    } else {
      guard !text.isEmpty else { throw LocationReader.error("the name of the database is empty") }
      guard !Self.hasScheme(text) else { throw LocationReader.unknownScheme }
      self.init(engine: .sqlite(path: text), selection: nil, description: text)
    }
  }

  /// `word://…` is meant to be reached over a network; as the name of a file it could put a password into one.
  private static func hasScheme(_ text: String) -> Bool {
    guard let mark = text.utf8.firstRange(of: "://".utf8) else { return false }
    return mark.lowerBound > text.startIndex && !text.utf8[..<mark.lowerBound].contains(UInt8(ascii: "/"))
  }

  private static let prefixes = ["sqlite:", "postgres://", "postgresql://"]
  private static let endings = [".sqlite", ".sqlite3", ".db"]
}

/// What libpq is told; it may hold a password, so it never describes itself.
package struct ConnectionText: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  let uri: String

  package var description: String { "a connection" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension StoreLocation {
  /// The file of an SQLite database; `nil` for anything else.
  ///
  /// - Throws: `StoreError` for a location that is spelled wrong.
  package static func file(_ text: String) throws(StoreError) -> String? {
    guard isLocation(text), case .sqlite(let path) = try StoreLocation(text).engine else { return nil }
    return path
  }
}
