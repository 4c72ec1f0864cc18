import SlipcastBulk
import SlipcastStores
import SlipcastSystem

/// Detects what the words of a command line name: files, folders, databases.
enum InputDetector {
  /// More files of one folder are not looked at.
  private static let mostFiles = 100

  static func detect(
    _ name: String, patterns: [String], _ arguments: Arguments, _ console: Console
  ) async throws -> [DetectedInput] {
    try ForeignLocation.check(name)
    if StoreLocation.isLocation(name) { return try await DatabaseDetector.detect(name) }
    let given = patterns.isEmpty ? InputFile.patterns : patterns
    let (files, passedOver) = try InputFile.search([name], patterns: given)
    PassedOverWords.say(passedOver, arguments, console)
    guard let first = files.first else { throw InputOptions.nothingFound([name], patterns, readsAny: false) }
    guard Platform.kind(name) == .folder, name != "-" else {
      return [DetectedInput(name, try await SourceDetector.detect(first, patterns: patterns))]
    }
    var found: [DetectedInput] = []
    for file in files.prefix(mostFiles) {
      found.append(DetectedInput(file.path, try await SourceDetector.detect(file, patterns: patterns)))
    }
    return [folder(name, found, patterns, all: files.count)].compactMap(\.self).nonEmpty ?? found
  }

  /// One source for the whole folder, where all files are read with the same options.
  private static func folder(
    _ name: String, _ files: [DetectedInput], _ patterns: [String], all: Int
  ) -> DetectedInput? {
    guard var one = files.first,
      files.allSatisfy({ $0.isReadable && $0.options == one.options && $0.choices == one.choices })
    else { return nil }
    one.name = name
    one.files = (files.count, all)
    one.options += patterns.map { ReadingOption("include", $0) }
    for file in files.dropFirst() { one.found.add(file.found) }
    return one
  }
}

extension [DetectedInput] {
  fileprivate var nonEmpty: [DetectedInput]? { isEmpty ? nil : self }
}
