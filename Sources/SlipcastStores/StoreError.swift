/// What a database could not do.
///
/// Neither passwords nor values of records stand in it: of PostgreSQL's messages only the first line is kept, because
/// the details behind it quote rows.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of trouble it is.
  public enum Kind: Hashable, Sendable {
    /// The location is spelled wrong.
    case badLocation
    /// There is no database, or it does not let us in.
    case cannotOpen
    /// There is a database, but Slipcast did not make it.
    case notAStore
    /// A newer Slipcast made it.
    case storeTooNew
    /// The database went away; what was not committed is not there. It may be tried again.
    case connectionLost
    /// A statement failed.
    case queryFailed
    /// Nothing can be written there.
    case readOnly
    /// No room is left.
    case full
    /// Another run, or another program, writes there.
    case locked
    /// There is no run to resume, or it is another one.
    case cannotResume
    /// A key is missing or comes twice, so there is no order to go on in.
    case badKey
    /// What the store says is done is not there.
    case damaged
    /// Another program deleted or replaced the file during the run.
    case replaced
  }

  /// What kind of trouble it is.
  public var kind: Kind
  /// The database, without a password.
  public var location: String
  /// What was to be done, as a verb with its object.
  public var action: String
  /// The database's own words, or ours.
  public var reason: String
  /// What may help; empty when nothing is known.
  public var advice: String
  /// SQLSTATE of PostgreSQL's error.
  public var sqlState: String?

  /// Makes an error of its parts.
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

  static func notAStore(_ location: String, _ reason: String = "there is a database, but slipcast did not make it")
    -> StoreError
  {
    StoreError(
      .notAStore, location, "open the store", reason,
      advice: "name a new file or an empty database, or add ?table=… to read legacy records from a table")
  }
}
