/// What a comparison was made from: its inputs, its options and its rules.
///
/// Two runs over the same inputs with the same options, rules and time of the report have the same origin.
package struct ComparisonOrigin: Hashable, Sendable {
  /// The sources of the legacy side, in the order in which they were read.
  package var legacy: [Source]
  /// The sources of the server side.
  package var server: [Source]
  /// Options that the result depends on, in alphabetical order.
  package var options: [Option]
  /// The rules in force.
  package var rules: Rules
  /// When the report was made, in milliseconds since 1970 UTC; `nil` for none.
  package var made: Int64?

  /// Describes an origin.
  package init(legacy: [Source], server: [Source], options: [Option], rules: Rules, made: Int64? = nil) {
    (self.legacy, self.server, self.options, self.rules, self.made) = (legacy, server, options, rules, made)
  }

  /// One file, stream or database.
  package struct Source: Hashable, Sendable {
    /// What a source is.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
      /// A file with a name.
      case file
      /// Standard input.
      case stream
      /// Rows of a database.
      case database
    }

    /// Its path or location, without passwords.
    package var name: String
    /// What it is.
    package var kind: Kind
    /// Records in it, unreadable ones included.
    package var records: Int
    /// Its length; `nil` for a database.
    package var bytes: Int?
    /// The SHA-256 of its bytes, compressed ones where it is compressed, in hexadecimal; `nil` for a database.
    package var sha256: String?
    /// The first and the last time of its events, milliseconds since 1970 UTC; `nil` when no event has one.
    package var span: ClosedRange<Int64>?

    /// Describes a source.
    package init(
      name: String, kind: Kind, records: Int, bytes: Int? = nil, sha256: String? = nil, span: ClosedRange<Int64>? = nil
    ) {
      (self.name, self.kind, self.records) = (name, kind, records)
      (self.bytes, self.sha256, self.span) = (bytes, sha256, span)
    }
  }

  /// An option of the command with its values.
  package struct Option: Hashable, Sendable {
    /// Its name without dashes: `strict`.
    package var name: String
    /// Its values as they were given, without passwords; empty for an option without a value.
    package var values: [String]

    /// Describes an option.
    package init(name: String, values: [String]) { (self.name, self.values) = (name, values) }
  }

  /// The rules in force.
  package struct Rules: Hashable, Sendable {
    /// The version of the program.
    package var version: String
    /// The SHA-256 of all rule files, in hexadecimal.
    package var digest: String

    /// Describes a set of rules.
    package init(version: String, digest: String) { (self.version, self.digest) = (version, digest) }
  }
}
