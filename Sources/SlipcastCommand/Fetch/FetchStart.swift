import SlipcastBulk
import SlipcastDigest
import SlipcastFetch
import SlipcastNetwork
import SlipcastSystem

/// How a run of `fetch` starts: from the beginning, or from a checkpoint.
struct FetchStart {
  let checkpoint: FetchCheckpoint
  private let before: FetchCheckpoint?

  var isResumed: Bool { before.map { !$0.isFinished } ?? false }

  init(_ options: FetchOptions, _ inputs: FetchInputs, _ arguments: Arguments) throws {
    var fresh = FetchCheckpoint()
    fresh.begin = Platform.milliseconds()
    guard let path = arguments.last("checkpoint") else {
      (checkpoint, before) = (fresh, nil)
      return
    }
    fresh.sources = try inputs.marks()
    fresh.options = Self.digest(options.endpoint, arguments)
    guard let found = try Self.read(path, arguments) else {
      (checkpoint, before) = (fresh, nil)
      return
    }
    if let difference = found.difference(from: fresh) {
      throw UsageError(
        "\(path) is the checkpoint of another run: \(difference); repeat that command with --resume, or delete the file to "
          + "start over")
    }
    before = found
    if found.isFinished {
      checkpoint = found.continued(by: fresh, table: FetchOutputs.tablePath(path))
    } else {
      checkpoint = found
    }
  }

  func outputs(_ arguments: Arguments) throws -> FetchOutputs {
    let to = arguments.last("to")
    return try FetchOutputs(
      to: to == "-" ? nil : to, missing: arguments.last("missing"), rejects: arguments.last("rejects"),
      checkpoint: arguments.last("checkpoint"), resuming: before)
  }

  private static func read(_ path: String, _ arguments: Arguments) throws -> FetchCheckpoint? {
    guard Platform.kind(path) != .nothing else { return nil }
    let text = try Files.read(path, limit: 1 << 30)
    let found: FetchCheckpoint
    do throws(StateFault) { found = try FetchCheckpoint(json: text) } catch {
      throw UsageError(
        "\(path) cannot be the checkpoint: \(error.reason); restore it from a copy, name another file, or delete it to "
          + "start over")
    }
    if arguments.has("resume") { return found }
    guard found.isFinished else {
      throw UsageError(
        "\(path) is the checkpoint of an unfinished run; continue it with --resume, or delete the file to start "
          + "over")
    }
    return nil
  }

  /// A digest of the options that decide what is requested and written.
  ///
  /// Neither the key nor how fast requests are sent is among them.
  private static func digest(_ endpoint: ServerEndpoint, _ arguments: Arguments) -> String {
    let names: Set = [
      "environment", "server", "sandbox-server", "bundle-id", "from", "until", "to", "missing", "rejects", "body",
      "sources", "csv", "separator", "tsv", "from-logs", "max-record", "root", "intermediate", "online-time",
      "accept-xcode",
    ]
    let digest = SHA256Stream()
    digest.add(endpoint.rawValue)
    for (name, values) in arguments.values.sorted(by: { $0.key < $1.key }) where names.contains(name) {
      digest.add("\n\(name)=\(values.joined(separator: "\u{0}"))")
    }
    return digest.hexadecimal
  }
}
