package import SlipcastSystem

/// An operation that a database could not do.
///
/// It contains neither passwords nor values of records: of PostgreSQL's messages only the first line is kept, because
/// further lines quote rows.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public enum Kind: Hashable, Sendable {
    /// The location is malformed.
    case badLocation
    /// The database does not exist, or rejects the connection.
    case cannotOpen
    /// The database exists, but Slipcast did not create it.
    case notAStore
    /// A newer Slipcast made it.
    case storeTooNew
    /// The connection to the database was lost; uncommitted data is gone. The run may be tried again.
    case connectionLost
    /// A statement failed.
    case queryFailed
    /// The database is not writable.
    case readOnly
    /// The disk is full.
    case full
    /// Another run, or another program, writes to the database.
    case locked
    /// The run to resume is missing or a different one.
    case cannotResume
    /// A key is missing or occurs twice, so the rows have no order to resume in.
    case badKey
    /// Records that the store marks as done are missing.
    case damaged
    /// Another program deleted or replaced the file during the run.
    case replaced
  }

  /// The kind of error.
  public var kind: Kind
  /// The database, without a password.
  public var location: String
  /// The failed action, as a verb with its object.
  public var action: String
  /// The database's own message, or Slipcast's.
  public var reason: String
  /// The remedy; empty if unknown.
  public var advice: String
  /// SQLSTATE of PostgreSQL's error.
  public var sqlState: String?
  /// The file that is not there.
  package var missing: FileError?

  /// Creates an error.
  package init(
    _ kind: Kind, _ location: String, _ action: String, _ reason: String, advice: String = "", sqlState: String? = nil
  ) {
    (self.kind, self.location, self.action) = (kind, location, action)
    (self.reason, self.advice, self.sqlState) = (reason, advice, sqlState)
  }

  /// The same may succeed later without a change.
  public var isRetryable: Bool { kind == .connectionLost || kind == .locked }

  /// `shop.sqlite: cannot open the store: database is locked; another run writes there`.
  public var description: String {
    var text = location.isEmpty ? "cannot \(action): \(reason)" : "\(location): cannot \(action): \(reason)"
    if let sqlState { text += " (SQLSTATE \(sqlState))" }
    return advice.isEmpty ? text : text + "; " + advice
  }
}

extension StoreError {
  static func replaced(_ location: String, _ action: String) -> StoreError {
    StoreError(
      .replaced, location, action,
      "the file was deleted, moved or replaced while this run wrote it, so its records are lost",
      advice: "let no other program change the file, and run the command again from the start")
  }

  static func tooNew(_ location: String, found: Int, known: Int) -> StoreError {
    StoreError(
      .storeTooNew, location, "open the store", "it has version \(found), and this slipcast knows version \(known)",
      advice: "use the slipcast that wrote it, or a newer one")
  }

  /// A store that is to be read is not there: other missing files have the same words.
  static func missing(_ location: StoreLocation, _ path: String) -> StoreError {
    let missing = FileError(path: path, doing: "open", number: Platform.notFound)
    var error = StoreError(.cannotOpen, location.description, "open", missing.reason)
    error.missing = missing
    return error
  }

  /// The database holds nothing to read.
  static func empty(_ location: StoreLocation) -> StoreError {
    StoreError(
      .notAStore, location.description, "open the store", "the database contains no store",
      advice: "slipcast convert … --to \(location) --execute fills it")
  }

  /// What makes a store, where the database is of another program.
  static let howToMake = "slipcast convert … --settle --to archive.sqlite --execute makes a store"

  static func notAStore(_ location: String, _ reason: String = "there is a database, but slipcast did not make it")
    -> StoreError
  {
    StoreError(
      .notAStore, location, "open the store", reason,
      advice: "name a new file or an empty database, or add ?table=… to read legacy records from a table")
  }
}
