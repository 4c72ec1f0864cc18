import SlipcastBulk
import SlipcastMapping
import SlipcastOutlets
import SlipcastSignatures
import SlipcastStores
import SlipcastSystem

/// What `--v2` names: stores are asked, files and journals are read into one index.
struct CustomerSources {
  private(set) var sources: [any CustomerSource] = []
  /// Records that could not be used.
  private(set) var rejected = 0

  /// - Throws: `UsageError` for a name of nothing, `FileError`, `StoreError`.
  init(
    _ arguments: Arguments, _ rules: RuleSet, _ policy: VerificationPolicy, _ console: Console
  ) async throws {
    var files: [RecordSource] = []
    for name in arguments.all("v2") {
      if StoreLocation.isLocation(name), try StoreLocation(name).isStore {
        sources.append(try CustomerStore(try StoreLocation(name)))
        continue
      }
      let found = try ConvertInputs.find([name], [])
      PassedOverWords.say(found.passedOver, arguments, console)
      if found.sources.isEmpty { throw InputOptions.nothingFound([name], []) }
      files += found.sources
    }
    guard !files.isEmpty else { return }
    let index = try CustomerIndex()
    let words = RejectWords(arguments, console, Progress(.none, console))
    rejected = try await Self.fill(index, from: files, CustomerScan(policy, rules: rules, options: Self.options())) {
      words.say($0)
    }
    if !arguments.has("quiet") { words.sayRemaining() }
    sources.append(index)
  }

  private static func options() -> ConvertOptions {
    var options = ConvertOptions()
    options.jobs = min(Platform.processors, 64)
    return options
  }

  /// Reads records of any form into an index.
  ///
  /// - Returns: how many of them could not be used.
  static func fill(
    _ index: CustomerIndex, from sources: [RecordSource], _ scan: CustomerScan,
    onReject: @escaping (Reject) throws -> Void
  ) async throws -> Int {
    var rejected = try await scan.read(sources, into: index, onReject: onReject).rejected
    // The notifications of version 1 in a journal are read apart from those of version 2.
    let journals = sources.filter { if case .file(let file, _) = $0 { file.isJournal } else { false } }
    if !journals.isEmpty {
      rejected += try await scan.read(journals, as: .legacy, into: index, onReject: onReject).rejected
    }
    return rejected
  }
}
