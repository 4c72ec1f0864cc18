import SlipcastBulk

/// Options about the conversion of V1 records, where no input has one.
enum ConversionUse {
  /// Refuses an option where every input was looked at as a whole, and has V2 records alone: they are taken as they are.
  ///
  /// - Parameter options: those about the conversion.
  static func check(_ sources: [RecordSource], _ arguments: Arguments, of options: [String]) async throws {
    guard let option = options.first(where: arguments.has), let first = sources.first else { return }
    for source in sources {
      // A stream can be read only once.
      guard case .file(let file, let patterns) = source, !file.isStream, !file.isJournal,
        let found = try? await SourceDetector.detect(file, patterns: patterns), found.isServer, found.profile.isWhole
      else { return }
    }
    let name = Console.harmless(first.name)
    throw UsageError("--\(option) has no effect on \(name), whose records are V2; leave it out")
  }
}
