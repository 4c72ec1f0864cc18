/// A rule file that cannot be used, and where.
public struct MappingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The rule file's name.
  public var file: String
  /// The line, counted from 1.
  public var line: Int
  /// The column in bytes, counted from 1.
  public var column: Int
  /// The rule, where one is known.
  public var rule: String?
  /// What is wrong and what would be right.
  public var message: String

  /// `file:line:column: rule: message`, as compilers write it.
  public var description: String {
    "\(file):\(line):\(column): " + (rule.map { "\($0): " } ?? "") + message
  }
}

/// All that is wrong with a set of rule files.
public struct MappingErrors: Error, Sendable, CustomStringConvertible {
  /// The faults in the order in which they were found; never empty.
  public var errors: [MappingError]

  /// One line per fault.
  public var description: String { errors.map(\.description).joined(separator: "\n") }
}
