import SlipcastBulk
import SlipcastStores
import SlipcastSystem
import SlipcastWire

/// Detects what the words of a command line name: files, folders, databases.
enum InputDetector {
  /// More files of one folder are not looked at.
  private static let mostFiles = 100

  static func detect(
    _ name: String, patterns: [String], _ arguments: Arguments, _ console: Console
  ) async throws -> [DetectedInput] {
    try ForeignLocation.check(name)
    if StoreLocation.isLocation(name) { return try await DatabaseDetector.detect(name) }
    let given = patterns.isEmpty ? everyName : patterns
    var (files, passedOver) = try InputFile.search([name], patterns: given)
    PassedOverWords.say(passedOver, arguments, console)
    // The file that it wrote the last time.
    if let own = arguments.last("to"), own != "-" { files.removeAll { InputFile.isSame($0.path, own) } }
    guard let first = files.first else { throw InputOptions.nothingFound([name], patterns, readsAny: false) }
    guard Platform.kind(name) == .folder, name != "-" else {
      return [DetectedInput(name, try await SourceDetector.detect(first, patterns: patterns))]
    }
    var (found, without) = ([DetectedInput](), [String]())
    // Without a pattern, convert reads the files of a folder whose names say that they have records.
    let known = patterns.isEmpty ? Set(try InputFile.search([name]).files.map(\.path)) : Set(files.map(\.path))
    for file in files.prefix(mostFiles) {
      let isLocation = StoreLocation.isLocation(file.path)
      let inputs =
        isLocation
        ? try await DatabaseDetector.detect(file.path)
        : [DetectedInput(file.path, try await SourceDetector.detect(file, patterns: patterns))]
      // A folder has other files too.
      if !known.contains(file.path), !inputs.contains(where: \.isReadable) {
        without.append(file.path)
      } else {
        found += inputs
      }
    }
    if files.count > mostFiles, !arguments.has("quiet") {
      console.say(
        "slipcast: \(Console.harmless(name)): the first \(mostFiles) of \(files.count.grouped) files were looked at\n")
    }
    PassedOverWords.say(withoutRecords: without, arguments, console)
    if found.isEmpty { throw InputOptions.nothingFound([name], patterns, readsAny: true) }
    let isOne = found.allSatisfy { known.contains($0.name) }
    return isOne ? folder(name, found, patterns, all: files.count - without.count).map { [$0] } ?? found : found
  }

  /// A file with an unknown extension may be a log, a table or a database.
  private static let everyName = ["*"]

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
