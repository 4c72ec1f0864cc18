import SlipcastBulk
import SlipcastStores

/// The two archives of a comparison, as the command line names them.
struct ParityInputs {
  let legacy: [RecordSource]
  let server: [RecordSource]
  /// What reports call them.
  let names: (legacy: String, server: String)
  private let files: [InputFile]
  /// Standard input, kept, because archives are read twice.
  private let kept: TemporaryCopy?

  /// Finds the sources of both sides.
  ///
  /// - Throws: `UsageError`, and `BulkError` for what is not there.
  init(_ arguments: Arguments, _ command: CommandDescription) throws {
    guard arguments.operands.isEmpty else {
      throw UsageError(
        "expected --legacy A --server B, found the word \"\(arguments.operands[0])\"", command)
    }
    let words = (legacy: arguments.all("legacy"), server: arguments.all("server"))
    for (name, given) in [("legacy", words.legacy), ("server", words.server)] where given.isEmpty {
      throw UsageError("--\(name) is missing: a file, a directory, a database, or - for standard input", command)
    }
    guard (words.legacy + words.server).count(where: { $0 == "-" }) < 2 else {
      throw UsageError("standard input can be read only once", command)
    }
    let reads = (words.legacy + words.server).contains("-")
    let kept = reads ? try TemporaryCopy(of: 0) : nil
    let first = try Self.find(words.legacy, arguments.all("include"), kept)
    let second = try Self.find(words.server, arguments.all("include"), kept)
    for (side, found, words) in [("legacy", first, words.legacy), ("server", second, words.server)]
    where found.sources.isEmpty {
      throw UsageError("--\(side): there is no file in \(words.joined(separator: ", "))", command)
    }
    func name(_ words: [String]) -> String { words.map(Databases.withoutPassword).joined(separator: " ") }
    (legacy, server, files) = (first.sources, second.sources, first.files + second.files)
    names = (name(words.legacy), name(words.server))
    self.kept = kept
    try checkOutputs(arguments, command)
  }

  private static func find(
    _ names: [String], _ patterns: [String], _ kept: TemporaryCopy?
  ) throws -> (sources: [RecordSource], files: [InputFile]) {
    var (sources, files) = ([RecordSource](), [InputFile]())
    for name in names {
      if let rows = try Databases.rows(name) {
        sources.append(.rows(rows))
        continue
      }
      let path = name == "-" ? kept?.path ?? name : name
      let found = try patterns.isEmpty ? InputFile.find([path]) : InputFile.find([path], patterns: patterns)
      if name != "-" { files += found }
      sources += found.map { .file($0, patterns: patterns) }
    }
    return (sources, files)
  }

  private func checkOutputs(_ arguments: Arguments, _ command: CommandDescription) throws {
    let outputs = ["report", "rejects"].flatMap { name in arguments.all(name).map { (name, $0) } }
    let inputs = files.map(\.path) + arguments.all("baseline")
    for (place, (name, path)) in outputs.enumerated() where path != "-" {
      if inputs.contains(where: { InputFile.isSame($0, path) }) {
        throw UsageError("--\(name) \(path) is also an input, which it would overwrite", command)
      }
      if outputs[..<place].contains(where: { InputFile.isSame($0.1, path) }) {
        throw UsageError("--\(name) \(path) is given twice", command)
      }
    }
  }
}
