import SlipcastBulk

/// The options that act on some files only, asked of the files that were found: folders and archives say what they are
/// only when they are looked into.
enum FoundUse {
  private static let ofTables = ["csv", "separator", "tsv", "from-logs"]

  /// Refuses an option that acts on none of the files, where nothing but their names decides.
  ///
  /// - Parameters:
  ///   - names: the inputs, as the command line names them.
  ///   - files: what was found under these names.
  static func check(_ names: [String], _ files: [InputFile], _ arguments: Arguments) throws {
    let kinds = try names.map(InputKind.init)
    let patterns = arguments.all("include")
    for option in ofTables where arguments.has(option) {
      let isCSV = arguments.has("csv")
      // What another kind does with the option was decided by its name.
      let others = kinds.filter { $0 != .folder && $0 != .archive }
      if others.contains(where: { InputUse.acts(option, on: $0) }) { continue }
      if files.isEmpty { continue }
      let acts = files.contains { file in
        file.hasText(patterns) { TableOptions.acts(option, on: $0, isCSV: isCSV) }
      }
      guard !acts, let place = kinds.firstIndex(where: { $0 == .folder || $0 == .archive }) else { continue }
      throw InputUse.refusal(option, names[place], "\(kinds[place].words) without such a file")
    }
    guard arguments.has("include"), !kinds.contains(.folder), !kinds.contains(.archive) else { return }
    // A file without a known extension, or standard input, may be an archive.
    guard let first = names.first, files.allSatisfy({ $0.isArchive == false }), !files.isEmpty else { return }
    throw InputUse.refusal("include", first, "one file")
  }
}
