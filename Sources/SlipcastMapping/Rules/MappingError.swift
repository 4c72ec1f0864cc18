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

  package init(file: String, line: Int, column: Int, rule: String? = nil, message: String) {
    (self.file, self.line, self.column, self.rule, self.message) = (file, line, column, rule, message)
  }

  /// `file:line:column: rule: message`, as compilers write it.
  public var description: String {
    "\(file):\(line):\(column): " + (rule.map { "\($0): " } ?? "") + message
  }
}

/// All errors of a set of rule files.
public struct MappingErrors: Error, Sendable, CustomStringConvertible {
  /// The errors, each once, by file, line and column; never empty.
  public var errors: [MappingError]

  /// Sorts errors of one or more files; those of one position keep their order.
  package init(sorting errors: [MappingError]) {
    var seen: Set<MappingError> = []
    self.errors = errors.filter { seen.insert($0).inserted }.enumerated().sorted { left, right in
      let (one, other) = (left.element, right.element)
      return (one.file, one.line, one.column, left.offset) < (other.file, other.line, other.column, right.offset)
    }.map(\.element)
  }

  /// One line per error.
  public var description: String { errors.map(\.description).joined(separator: "\n") }
}
