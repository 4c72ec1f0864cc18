import SlipcastBulk
import SlipcastFetch
import SlipcastStores
import SlipcastSystem

/// Keeps a command from writing over what it reads, over a V1 archive that it does not read, and two of its outputs from
/// being one file.
///
/// A file is first written as `NAME.part`, so that name counts as well.
struct OverwriteGuard {
  private let outputs: [(option: String, path: String)]
  /// The options whose outputs hold V1 records, or answers in V1's form: what they wrote can be written again.
  private let legacy: Set<String>
  /// Folders to which files are added: a journal may be read while it is written.
  private let growing: Set<String>

  /// Looks at the words of the command line: the values of options marked in the table, and operands.
  init(_ arguments: Arguments) throws {
    let options = arguments.given
    outputs = options.filter { $0.file == .written }.flatMap { option in
      arguments.all(option.name).filter { $0 != "-" && !Platform.isStream($0) }.map { (option.name, $0) }
    }
    let givesAnswers = options.contains { $0.name == "emit" } && arguments.last("emit") == "verify-receipt"
    legacy = Set(options.filter(\.isRaw).map(\.name)).union(givesAnswers ? ["to"] : [])
    growing = Set(options.filter { $0.file == .written && $0.isFolder }.map(\.name))
    try compareOutputs()
    guard !outputs.isEmpty else { return }
    let read = options.filter { $0.file == .read }.flatMap { arguments.all($0.name) }
    // What folders of records hold is known when they have been looked through; these hold rules, or an identity.
    let folders = options.filter(\.isFolder).flatMap { arguments.all($0.name) }.filter {
      Platform.kind($0) == .folder
    }
    let inside = try InputFile.find(folders, patterns: ["*"]).map(\.path)
    try check((read + arguments.operands).map { Self.file($0) } + inside)
  }

  func check(_ files: [String]) throws {
    var written: [Platform.FileIdentity: (option: String, path: String, name: String)] = [:]
    for (option, path) in outputs where !growing.contains(option) {
      for name in Self.names(path) { if let file = Platform.identity(name) { written[file] = (option, path, name) } }
    }
    guard !written.isEmpty else { return }
    for file in files {
      guard let (option, path, name) = Platform.identity(file).flatMap({ written[$0] }) else { continue }
      let use = name == path ? "" : " (\(name) while it is written)"
      throw UsageError("--\(option) \(path)\(use) is also an input, which it would overwrite")
    }
  }

  /// Refuses an output whose file has V1 records: the archive may be their only copy, and an option that was given without
  /// its value takes the name of the input for its own.
  func checkContents() async throws {
    for (option, path) in outputs where !legacy.contains(option) {
      guard Platform.kind(path) == .file, Platform.size(path) ?? 0 > 0 else { continue }
      // A file that cannot be read has its own error, later.
      guard let found = try? await SourceDetector.detect(InputFile(path: path), bytes: Self.looked),
        let kind = found.irreplaceable.sorted().first
      else { continue }
      throw UsageError(
        "--\(option) \(path): the file has legacy records (\(kind)), which would be lost; name another file, or delete it"
      )
    }
  }

  /// How much of a file is looked at.
  private static let looked = 256 << 10

  /// Refuses a folder with files, which an output would mix with its own.
  static func checkEmpty(_ folder: String, option: String) throws {
    guard Platform.kind(folder) != .nothing else { return }
    guard Platform.kind(folder) == .folder else {
      throw UsageError("--\(option) \(folder) is not a folder; name a new one")
    }
    guard try InputFile.find([folder], patterns: ["*"]).isEmpty else {
      throw UsageError("--\(option) \(folder): there are files in it already; name an empty folder, or a new one")
    }
  }

  /// Refuses a folder where one file is written.
  static func checkFile(_ path: String, option: String) throws {
    guard path.hasSuffix("/") || Platform.kind(path) == .folder else { return }
    throw UsageError("--\(option) \(path) is a folder; name a file")
  }

  private func compareOutputs() throws {
    for (place, left) in outputs.enumerated() {
      let names = Self.names(left.path)
      for right in outputs[(place + 1)...] {
        guard names.contains(where: { name in Self.names(right.path).contains { InputFile.isSame($0, name) } }) else {
          continue
        }
        guard left.option != right.option else { throw UsageError("--\(left.option) \(right.path) is given twice") }
        throw UsageError("--\(left.option) and --\(right.option) name the same file")
      }
    }
  }

  /// The names under which an output is ever written: the file, its incomplete form, and the files next to a
  /// checkpoint.
  private static func names(_ path: String) -> [String] {
    let file = file(path)
    let beside = RunPlan.filesBeside(file) + FetchOutputs.filesBeside(file)
    return [file, FileOutput.partName(file), file + ".new"] + beside + beside.map { FileOutput.partName($0) }
  }

  /// The file that a word names, which may be a database.
  private static func file(_ word: String) -> String { (try? StoreLocation.file(word)) ?? word }
}
