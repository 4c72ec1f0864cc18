/// Why a folder gives no cases.
public struct FixtureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with it.
  public enum Reason: Hashable, Sendable {
    /// There is nothing of that name.
    case missing
    /// It is a file.
    case noFolder
    /// It contains no folder.
    case empty(legacy: String, server: String)
    /// The system does not let it be read; with its words.
    case unreadable(String)
  }

  /// The folder.
  public var path: String
  /// What is wrong with it.
  public var reason: Reason

  /// One line: what was expected, what is there.
  public var description: String {
    switch reason {
    case .missing: "\(path): expected a folder of cases, found nothing of that name"
    case .noFolder: "\(path): expected a folder of cases, found a file"
    case .empty(let legacy, let server):
      "\(path): expected folders that each contain \(legacy) and \(server), found none; no case was tested"
    case .unreadable(let why): "\(path): cannot open: \(why)"
    }
  }
}
