import SlipcastBulk

/// The commands that read V2 records, which need no conversion: what `detect` and a run that rejected them say.
struct ServerCommands {
  private let names: [String]
  private let options: [ReadingOption]
  private let isSigned: Bool

  /// - Parameters:
  ///   - options: how the inputs are read, or the file of `--sources` in place of inputs.
  ///   - isSigned: they have Apple's signatures.
  init(_ names: [String], _ options: [ReadingOption], isSigned: Bool) {
    (self.names, self.options, self.isSigned) = (names, options, isSigned)
  }

  /// What each is for, and the command.
  var all: [(use: String, command: String)] {
    [("compare it", parity), ("keep it", store)] + (isSigned ? [("verify it", verify)] : [])
  }

  /// Compares them with a V1 archive.
  var parity: String {
    if let file = options.first(where: { $0.name == "sources" })?.value {
      return line(["parity", "--legacy", "V1", "--server-sources", file], [], [])
    }
    // Other options would be for both archives.
    let isPlain = options.allSatisfy { ["body", "received-at", "id"].contains($0.name) }
    guard isPlain else {
      let detect = CommandArguments.line(["slipcast", "detect", "--to", "v2-sources.json"] + names)
      return detect + " && slipcast parity --legacy V1 --server-sources v2-sources.json"
    }
    let reading = options.map { ReadingOption("server-" + $0.name, $0.value) }
    return line(["parity", "--legacy", "V1"], reading, names.flatMap { ["--server", $0] })
  }

  /// Keeps them in a store, next to converted ones.
  var store: String { line(["convert", "--to", Self.archive, "--execute"], options, names) }
  /// Draws the lives of their subscriptions.
  var timeline: String { store + " && slipcast timeline \(Self.archive)" }
  private var verify: String { line(["verify"], options.filter { !["received-at", "id"].contains($0.name) }, names) }

  private static let archive = "archive.sqlite"

  private func line(_ command: [String], _ options: [ReadingOption], _ names: [String]) -> String {
    CommandArguments.line(["slipcast"] + command + Self.words(options) + names)
  }

  /// Options as words of a command line.
  static func words(_ options: [ReadingOption]) -> [String] {
    options.flatMap { option in ["--\(option.name)"] + (option.value.map { [$0] } ?? []) }
  }
}
