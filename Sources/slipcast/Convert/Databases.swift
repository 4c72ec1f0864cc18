import SlipcastBulk

/// Databases as inputs and targets of `convert`.
enum Databases {
  struct Target {
    func open(_ destination: RunDestination, _ checkpoint: Checkpoint, resumes: Bool) throws -> Checkpoint? { nil }
    func sayEnd(_ end: RunEnd, _ console: Console, isQuiet: Bool) {}
  }
  static func rows(_ name: String) throws -> (any RowFeed)? { nil }
  static func target(_ name: String, _ arguments: Arguments) throws -> Target? { nil }
  static func withoutPassword(_ word: String) -> String { word }
}
