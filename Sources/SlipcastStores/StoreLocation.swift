internal import SlipcastBulk
import SlipcastSystem
@_spi(Slipcast) internal import SlipcastWire

/// The location of a database: of a Slipcast store, or of rows with legacy records.
///
/// `sqlite:FILE` and `postgresql://host/database` name a store. With `?table=NAME` or `?query=SELECT` they name rows;
/// `key=COLUMN`, `body=COLUMN` (default `body`) and `received-at=COLUMN` name the columns. Names and values may be
/// percent-encoded. All other parameters of a PostgreSQL location are passed to libpq.
public struct StoreLocation: Hashable, Sendable, CustomStringConvertible {
  /// The database system.
  package enum Engine: Hashable, Sendable {
    case sqlite(path: String)
    case postgreSQL(ConnectionText)
  }

  /// The rows with legacy records, and their columns.
  package struct Selection: Hashable, Sendable {
    /// The source of the rows.
    package enum Origin: Hashable, Sendable {
      /// A table or a view, with its schema before a dot where it is not the current one.
      case table(String)
      /// A `SELECT` statement of the user's.
      case query(String)
    }

    package var origin: Origin
    /// The column with the legacy record.
    package var body = "body"
    /// The column that orders and identifies rows; without it an interrupted run cannot be resumed.
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

  /// Whether a text means a database: by its start, by its extension, or by the first bytes of the file.
  package static func isLocation(_ text: String) -> Bool {
    if prefixes.contains(where: { text.hasPrefix($0) }) || LocationWords.hasScheme(text) { return true }
    switch StoreFile.look(text) {
    case .database: return true
    case .nothing, .empty: return hasEnding(text)
    case .other, .unreadable: return false
    }
  }

  /// The same for a target: a name with the extension of a database means one, whatever exists there now.
  package static func isTarget(_ text: String) -> Bool {
    isLocation(text) || hasEnding(text) && Platform.kind(text) != .folder
  }

  private static func hasEnding(_ text: String) -> Bool { endings.contains { text.lowercased().hasSuffix($0) } }

  /// Parses a location.
  ///
  /// - Throws: `StoreError` of the kind `badLocation` that states the fault and a suggestion.
  public init(_ text: String) throws(StoreError) {
    // Libraries of C would read only what is before it.
    guard !text.utf8.contains(0) else { throw LocationReader.error("a NUL is in it", advice: "leave it out") }
    if text.hasPrefix("sqlite:") {
      self = try LocationReader.sqlite(text.dropFirst("sqlite:".count))
    } else if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
      self = try LocationReader.postgreSQL(text)
    } else {
      guard !text.isEmpty else { throw LocationReader.error("the name of the database is empty") }
      // As a file name it could contain a password.
      guard !LocationWords.hasScheme(text) else { throw LocationReader.unknownScheme }
      self.init(engine: .sqlite(path: text), selection: nil, description: text)
    }
  }

  private static let prefixes = ["sqlite:", "postgres://", "postgresql://"]
  private static let endings = [".sqlite", ".sqlite3", ".db"]
}

extension StoreLocation: MaskedLocation {}

/// The connection string for libpq; it may contain a password, so it has no description.
package struct ConnectionText: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  let uri: String

  package var description: String { "a connection" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension StoreLocation {
  /// The file of an SQLite database; `nil` for anything else.
  ///
  /// - Throws: `StoreError` for a malformed location.
  package static func file(_ text: String) throws(StoreError) -> String? {
    guard isLocation(text), case .sqlite(let path) = try StoreLocation(text).engine else { return nil }
    return path
  }
}
