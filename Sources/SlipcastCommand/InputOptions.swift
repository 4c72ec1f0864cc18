import SlipcastBulk

/// What several commands say of their inputs.
enum InputOptions {
  static let body = Option(
    name: "body", value: "POINTER",
    help: "The record stands there in each row, as an object, as JSON text in a string, or as a receipt in base64: "
      + "/payload/body, /unified_receipt/latest_receipt (RFC 6901).")
  static let receivedAt = Option(
    name: "received-at", value: "POINTER",
    help: "The row tells there when it was received: milliseconds or seconds since 1970, or ISO 8601 (UTC without "
      + "a zone). It becomes signedDate.")
  static let id = Option(
    name: "id", value: "POINTER", help: "The row has its own id there; rejects and provenance repeat it.")
  static let rejects = Option(
    name: "rejects", value: "FILE",
    file: .written,
    help: "Keeps rejected records, one JSON object a line, the secret removed; convert reads such a file again "
      + "(with the same --body and so on) after a fix.")
  static let maxRecord = Option(
    name: "max-record", value: "MIB", help: "The longest record that is read, in MiB; 16 by default.")
  static let include = Option(
    name: "include", value: "PATTERN", isRepeatable: true,
    help: "Which files of directories and archives are read, by name: v1.json, '2021-*.ndjson'.")

  /// How legacy records are found and converted on the way to something else.
  static let records: [Option] = [
    body, receivedAt, id, RuleOptions.appAppleId, RuleOptions.products, RuleOptions.mappings, rejects, maxRecord,
    include,
    Option(name: "jobs", value: "N", help: "How many workers; all processors by default."),
  ]

  /// Directories were given, and nothing in them is to be read: nothing was done, which must not look like success.
  static func nothingFound(_ names: [String], _ patterns: [String], _ command: CommandDescription) -> UsageError {
    let shown = patterns.isEmpty ? "" : " of the names of --include (\(patterns.joined(separator: ", ")))"
    return UsageError("there is no file\(shown) in \(names.joined(separator: ", "))", command)
  }
}

extension Arguments {
  /// The time that an option names, in milliseconds since 1970 UTC.
  ///
  /// - Throws: `UsageError` for anything that is no time.
  func time(_ name: String, _ command: CommandDescription) throws -> Int64? {
    guard let text = last(name) else { return nil }
    guard let time = ReceivedTime.milliseconds(text) else {
      throw UsageError("--\(name) is milliseconds or seconds since 1970, or ISO 8601, not \"\(text)\"", command)
    }
    return time
  }
}
