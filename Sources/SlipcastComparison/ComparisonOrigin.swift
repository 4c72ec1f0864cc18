/// What a comparison was made from: its inputs, its options and its rules.
///
/// Two runs over the same inputs with the same options and rules have the same origin; it contains no current time.
public struct ComparisonOrigin: Hashable, Sendable {
  /// The sources of the legacy side, in the order in which they were read.
  public var legacy: [Source]
  /// The sources of the server side.
  public var server: [Source]
  /// Options that the result depends on, in alphabetical order.
  public var options: [Option]
  /// The rules in force.
  public var rules: Rules

  /// Describes an origin.
  public init(legacy: [Source], server: [Source], options: [Option], rules: Rules) {
    (self.legacy, self.server, self.options, self.rules) = (legacy, server, options, rules)
  }

  /// One file, stream or database.
  public struct Source: Hashable, Sendable {
    /// What a source is.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
      /// A file with a name.
      case file
      /// Standard input.
      case stream
      /// Rows of a database.
      case database
    }

    /// Its path or location, without passwords.
    public var name: String
    /// What it is.
    public var kind: Kind
    /// Records in it, unreadable ones included.
    public var records: Int
    /// Its length; `nil` for a database.
    public var bytes: Int?
    /// The SHA-256 of its bytes, compressed ones where it is compressed, in hexadecimal; `nil` for a database.
    public var sha256: String?
    /// The first and the last time of its events, milliseconds since 1970 UTC; `nil` when no event has one.
    public var span: ClosedRange<Int64>?

    /// Describes a source.
    public init(
      name: String, kind: Kind, records: Int, bytes: Int? = nil, sha256: String? = nil, span: ClosedRange<Int64>? = nil
    ) {
      (self.name, self.kind, self.records) = (name, kind, records)
      (self.bytes, self.sha256, self.span) = (bytes, sha256, span)
    }
  }

  /// An option of the command with its values.
  public struct Option: Hashable, Sendable {
    /// Its name without dashes: `strict`.
    public var name: String
    /// Its values as they were given, without passwords; empty for an option without a value.
    public var values: [String]

    /// Describes an option.
    public init(name: String, values: [String]) { (self.name, self.values) = (name, values) }
  }

  /// The rules in force.
  public struct Rules: Hashable, Sendable {
    /// The version of the program.
    public var version: String
    /// The SHA-256 of all rule files, in hexadecimal.
    public var digest: String

    /// Describes a set of rules.
    public init(version: String, digest: String) { (self.version, self.digest) = (version, digest) }
  }
}
