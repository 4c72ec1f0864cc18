import SlipcastBulk
import SlipcastSystem
@_spi(Slipcast) import SlipcastWire

/// `slipcast detect`: the form of each source, and the options that read it.
enum DetectCommand: Command {
  static let description = CommandDescription("detect", .look, operands: .files)

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    if arguments.operands.isEmpty { throw UsageError("expected an INPUT: a file, a folder, a database, or -") }
    guard arguments.operands.count(where: { $0 == "-" }) < 2 else {
      throw UsageError("standard input can be read only once")
    }
    try InputUse.check(arguments.operands, arguments, only: ["include"])
    let to = arguments.last("to")
    var inputs: [DetectedInput] = []
    for name in arguments.operands {
      let found = try await InputDetector.detect(name, patterns: arguments.all("include"), arguments, console)
      if to != "-" { try show(found, asJSON: arguments.last("format") == "json", console) }
      inputs += found
    }
    if let to { try write(inputs, to: to, arguments, console) }
    return inputs.allSatisfy(\.isDecided) ? .fine : .findings
  }

  private static func show(_ inputs: [DetectedInput], asJSON: Bool, _ console: Console) throws {
    for input in inputs {
      try console.print(asJSON ? DetectText.json(input) : DetectText.text(input), as: asJSON ? .json : .text)
    }
  }

  /// The command that reads the file of sources.
  private static func reading(_ sources: [DetectedInput], _ path: String) -> String {
    let commands = ServerCommands([], [ReadingOption("sources", path)], isSigned: false)
    let server = sources.count { $0.found.isServer }
    if server == sources.count {
      return "they are V2: compare them (\(commands.parity)) or keep them (\(commands.store))"
    }
    if server > 0 { return "\(server.grouped) of them V2, which only a store takes too: \(commands.store)" }
    return "read them with " + CommandArguments.line(["slipcast", "convert", "--sources", path])
  }

  /// Writes the file of sources: those that can be read.
  private static func write(
    _ inputs: [DetectedInput], to path: String, _ arguments: Arguments, _ console: Console
  ) throws {
    let readable = inputs.filter(\.isReadable)
    guard !readable.isEmpty else {
      throw UsageError("--to \(path): nothing was written, because no input has records that were recognized")
    }
    let folder = path == "-" ? "" : SourcePath.folder(of: path)
    let entries = try readable.map { input in
      let writer = JSONWriter(capacity: 512)
      writer.raw("  {")
      try input.writeEntry(to: writer, in: folder)
      writer.raw("}")
      return writer.string
    }
    try Files.write(
      "{\"schema\": 1, \"sources\": [\n\(entries.joined(separator: ",\n"))\n]}\n", to: path)
    guard !arguments.has("quiet") else { return }
    let undecided = readable.count { !$0.isDecided }
    let unread = inputs.count - readable.count
    var words = "slipcast: \(readable.count == 1 ? "1 source" : "\(readable.count.grouped) sources") written"
    if unread > 0 { words += ", \(unread.grouped) without records left out" }
    words +=
      undecided > 0
      ? "; \(undecided.grouped) of them undecided: edit \"choose\" in \(path)"
      : "; " + reading(readable, path)
    console.say(words + "\n")
  }
}
