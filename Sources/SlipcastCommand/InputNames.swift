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
    let recordBytes = try InputOptions.recordBytes(arguments) ?? ConvertOptions().recordBytes
    let wanted = try names.compactMap { name in
      try InputOptions.pointer(arguments, prefix + name).map { NameSearch.Wanted(option: prefix + name, pointer: $0) }
    }
    try await check(sources.filter { $0.pointers == nil }, wanted, recordBytes)
    // The files of one entry have its names in common; another entry has its own names.
    var own: [(pointers: RowPointers, sources: [RecordSource])] = []
    for source in sources {
      guard let pointers = source.pointers else { continue }
      if own.last?.pointers != pointers { own.append((pointers, [])) }
      own[own.count - 1].sources.append(source)
    }
    for (pointers, sources) in own {
      try await UsageError.at(pointers.place) { try await check(sources, Self.wanted(pointers), recordBytes) }
    }
  }

  private static func wanted(_ pointers: RowPointers) -> [NameSearch.Wanted] {
    zip(options, [pointers.body, pointers.receivedAt, pointers.id]).compactMap { option, pointer in
      pointer.map { NameSearch.Wanted(option: option, pointer: $0) }
    }
  }

  private static func check(
    _ sources: [RecordSource], _ wanted: [NameSearch.Wanted], _ recordBytes: Int
  ) async throws {
    guard let missing = try await NameSearch(wanted, recordBytes: recordBytes).search(sources) else { return }
    let names = missing.names.map(\.description)
    let list = names.isEmpty ? "they have no members" : "they have \(names.joined(separator: ", "))"
    let word = String(missing.wanted.pointer.description.drop { $0 == "/" })
    let shown = missing.names.filter(\.isWhole).map(\.description)
    let near = Suggestion.closest(to: word, among: shown).map { "; did you mean \($0)?" } ?? ""
    throw UsageError(
      Console.harmless(
        "--\(missing.wanted.option) \(missing.wanted.pointer): none of the first rows has it; \(list)\(near)"))
  }
}
