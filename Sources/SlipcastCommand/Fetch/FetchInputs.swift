import SlipcastBulk
import SlipcastFetch
import SlipcastMapping
import SlipcastNetwork
import SlipcastSystem
import SlipcastV2
@_spi(Slipcast) import SlipcastWire

struct FetchIds {
  var list: CustomerList
  var counts = RunCounts()
  var rejects: [Reject] = []
}

struct FetchInputs {
  private let endpoint: ServerEndpoint
  private let archive: ConvertInputs?
  private let files: [String]
  private let given: [String]

  init(_ endpoint: ServerEndpoint, _ arguments: Arguments, _ console: Console) throws {
    self.endpoint = endpoint
    (given, files) = (arguments.all("id"), arguments.all("ids"))
    let hasIds = !given.isEmpty || !files.isEmpty || endpoint == .notifications
    if endpoint == .orders {
      _ = try arguments.required("bundle-id", "the app whose orders are looked up")
      guard hasIds else { throw UsageError("expected the ids of orders: --id ID, or --ids FILE") }
      archive = nil
    } else {
      archive =
        arguments.operands.isEmpty && !arguments.has("sources") && hasIds
        ? nil
        // Here --id is the id that is requested.
        : try ConvertInputs(arguments, console, replacing: SourcesFile.options.map(\.name).filter { $0 != "id" })
    }
    if archive == nil, let idle = Self.ofInputs.first(where: arguments.has) {
      throw UsageError("--\(idle) has no effect without an INPUT to read ids from; leave it out")
    }
    let kind = IdKind(endpoint)
    for id in given where !Customer.isPlain(id) || kind.fault(of: id) != nil {
      throw UsageError("--id is \(kind.words)")
    }
  }

  /// The options that say how inputs are read; --id is the id that is requested.
  private static let ofInputs = OptionTable.options(of: "rows").map(\.name).filter { $0 != "id" }

  /// What identifies the inputs of a run that is resumed.
  func marks() throws -> [Checkpoint.SourceMark] {
    var marks = try (archive?.sources ?? []).map { try Checkpoint.SourceMark($0) }
    marks += try files.map { try Checkpoint.SourceMark(.file(InputFile(path: $0), patterns: [])) }
    marks += given.map { Checkpoint.SourceMark(name: "--id \($0)") }
    return marks
  }

  func read(_ options: FetchOptions, _ arguments: Arguments, _ console: Console) async throws -> FetchIds {
    var ids = FetchIds(list: CustomerList(of: IdKind(endpoint)))
    if let archive {
      try await InputNames.check(archive.sources, arguments, among: ["body"])
      let rules = try RuleSet.builtIn()
      let isQuiet = arguments.has("quiet")
      var rejects: [Reject] = []
      ids.counts = try await ids.list.read(archive.sources, rules: rules, options: reading(arguments)) { reject in
        rejects.append(reject)
        if !isQuiet, rejects.count <= 20 { console.say("slipcast: \(Console.harmless(reject.description))\n") }
      }
      ids.rejects = rejects
    }
    for path in files { try Self.read(path, into: &ids.list) }
    for id in given { ids.list.add(id: id) }
    try complete(&ids.list, options, arguments)
    ids.list.finish()
    return ids
  }

  private func reading(_ arguments: Arguments) throws -> ConvertOptions {
    var options = ConvertOptions()
    options.body = try InputOptions.body(arguments)
    options.jobs = min(Platform.processors, 64)
    options.keepsRejects = arguments.has("rejects")
    options.recordBytes = try InputOptions.recordBytes(arguments) ?? options.recordBytes
    return options
  }

  private func complete(_ list: inout CustomerList, _ options: FetchOptions, _ arguments: Arguments) throws {
    if endpoint == .notifications, archive == nil, files.isEmpty, given.isEmpty {
      let bundleId = try arguments.required("bundle-id", "the app whose notifications are fetched")
      let environments = options.environment.map { [$0] } ?? [.production, .sandbox]
      for environment in environments { list.addAll(of: bundleId, in: environment) }
      return
    }
    let missing = list.complete(with: arguments.last("bundle-id"))
    guard missing > 0 else { return }
    throw UsageError(
      "\(missing) of \(list.count) ids have no bundle id in their records; name the app with --bundle-id")
  }

  /// Reads a file of ids: one on each line, or lines of `--missing`.
  private static func read(_ path: String, into list: inout CustomerList) throws {
    let reader = JSONReader(names: [])
    let bytes = try Files.read(path, limit: 1 << 30)
    let text = bytes.dropFirst(ByteOrderMark.count(in: bytes))
    for (number, line) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      let start = String(decoding: line, as: UTF8.self).drop(while: \.isWhitespace)
      let id = start.dropLast(start.reversed().prefix(while: \.isWhitespace).count)
      guard !id.isEmpty else { continue }
      var text = String(id)
      if id.first == "{" {
        text =
          reader.parse(JSONBuffer(line)) { root in
            root["id"].flatMap { $0.kind == .string || $0.kind == .number ? $0.tape.text($0.index).string : nil }
          } ?? ""
      }
      if Customer.isPlain(text) {
        list.add(id: text)
      } else {
        // One bad line of a long list ends nothing.
        list.add(noId: text, at: "line \(number + 1) of \(path)")
      }
    }
  }
}
