import SlipcastBulk
import SlipcastWire

/// The members of rows that options name.
enum InputNames {
  private static let options = ["body", "received-at", "id"]

  /// Refuses a name that no row has.
  ///
  /// - Parameter prefix: of the options, where a command has them for two archives.
  static func check(
    _ sources: [RecordSource], _ arguments: Arguments, prefix: String = "", among names: [String] = options
  ) async throws {
    let wanted = try names.compactMap { name in
      try InputOptions.pointer(arguments, prefix + name).map { NameSearch.Wanted(option: prefix + name, pointer: $0) }
    }
    let recordBytes = try InputOptions.recordBytes(arguments) ?? ConvertOptions().recordBytes
    guard let missing = try await NameSearch(wanted, recordBytes: recordBytes).search(sources) else { return }
    let list = missing.names.isEmpty ? "they have no members" : "they have \(missing.names.joined(separator: ", "))"
    throw UsageError(
      Console.harmless(
        "--\(missing.wanted.option) \(missing.wanted.pointer): none of the first rows has it; \(list)"))
  }
}
