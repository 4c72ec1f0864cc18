import SlipcastSystem

enum StoreFile {
  enum Found: Equatable {
    case nothing, empty, database
    /// A folder, a pipe, or a file that is not an SQLite database.
    case other
    /// A file that this user may not read, or cannot.
    case unreadable(FileError)
  }

  /// The bytes at the start of every SQLite database.
  static let header = Array("SQLite format 3\0".utf8)

  /// Checks a path without reading from pipes.
  static func look(_ path: String) -> Found {
    switch Platform.kind(path) {
    case .nothing: return .nothing
    case .file where Platform.size(path) == 0: return .empty
    case .file: break
    default: return .other
    }
    do throws(FileError) {
      let descriptor = try Platform.open(path)
      defer { Platform.close(descriptor) }
      return try Platform.read(descriptor, at: 0, count: header.count) == header ? .database : .other
    } catch {
      // A file that is shorter than the header is not an error of the system.
      return error.number == 0 ? .other : .unreadable(error)
    }
  }

  /// The same of a path that names a store.
  ///
  /// - Throws: `StoreError` for what cannot be one.
  static func check(_ path: String, _ name: String) throws(StoreError) -> Found {
    switch look(path) {
    case .other where Platform.kind(path) == .file:
      throw StoreError.notAStore(name, "the file is not a SQLite database")
    case .other: throw StoreError.notAStore(name, "it is not a file, and therefore not a SQLite database")
    case .unreadable(let error): throw StoreError(.cannotOpen, name, "open the store", error.reason)
    case let found: return found
    }
  }

  /// Creates an empty file that only its owner may read, or uses an existing empty one.
  ///
  /// It will contain customers' purchases. A link is not followed: its target may belong to another user.
  static func createPrivately(_ path: String) throws(StoreError) {
    do throws(FileError) { try Platform.createEmpty(path) } catch { throw refusal(error) }
  }

  /// Makes sure that a path names an SQLite database or an empty file.
  static func prepare(_ path: String, _ name: String) throws(StoreError) {
    if try check(path, name) != .database { try createPrivately(path) }
  }

  /// The file of a database that is open for writing.
  struct Opened {
    fileprivate let path: String
    fileprivate let identity: Platform.FileIdentity

    /// Checks that the database's name still refers to the open file.
    ///
    /// - Throws: `StoreError` that states what happened and what to do.
    func check(_ database: SQLiteDatabase, for action: String) throws(StoreError) {
      guard !database.hasMoved, Platform.identity(path) == identity else { throw .replaced(database.name, action) }
    }
  }

  /// Records which file a database has opened.
  ///
  /// - Throws: `StoreError` when the name refers to another file already.
  static func opened(_ path: String, by database: SQLiteDatabase) throws(StoreError) -> Opened {
    guard let identity = Platform.identity(path) else { throw .replaced(database.name, "open the store") }
    let opened = Opened(path: path, identity: identity)
    try opened.check(database, for: "open the store")
    return opened
  }

  private static func refusal(_ error: FileError) -> StoreError {
    let action = "create the store"
    guard !error.isLink else {
      return StoreError(
        .cannotOpen, error.path, action, "it is a symbolic link, which does not lead to a store",
        advice: "name the file itself, or remove the link")
    }
    let kind: StoreError.Kind = error.isForbidden ? .readOnly : error.isFull ? .full : .cannotOpen
    return StoreError(kind, error.path, action, error.reason)
  }
}
