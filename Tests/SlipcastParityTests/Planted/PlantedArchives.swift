import Foundation
import SlipcastBulk
import SlipcastComparison
import SlipcastMapping
import SlipcastParity
import SlipcastTestSupport

/// Two archives as texts, what was done to them, and how they are read.
struct PlantedArchives: Sendable {
  /// Says what was planted, for messages.
  var name: String
  var legacy: [String]
  var server: [String]
  /// How the records of both sides are written.
  var form = Form.lines
  /// Where the planted value is; `nil` for whole messages.
  var path: String?
  /// Classes that fail too.
  var strict: Set<DifferenceClass> = []

  enum Form: String, CaseIterable, Sendable { case lines, array, pretty, rows, textRows, gzip }

  private func text(_ lines: [String]) throws -> [UInt8] {
    switch form {
    case .lines, .gzip: return Array(lines.map { $0 + "\n" }.joined().utf8)
    case .array: return Array("[\(lines.joined(separator: ","))]".utf8)
    case .pretty:
      return Array(
        try lines.map { line in
          let root = try JSONTree.parse(Array(line.utf8))
          return String(
            decoding: try JSONSerialization.data(withJSONObject: root, options: [.prettyPrinted, .sortedKeys]),
            as: UTF8.self) + "\n"
        }.joined().utf8)
    case .rows: return Array(lines.map { "{\"id\":1,\"body\":\($0)}\n" }.joined().utf8)
    case .textRows:
      return Array(try lines.map { try JSONTree.line(["body": $0]) + "\n" }.joined().utf8)
    }
  }

  /// What parity says of them, with the default gates.
  func judge() async throws -> ParityResult {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    var paths: [String] = []
    for (name, lines) in [("v1", legacy), ("v2", server)] {
      let path = folder.path(name)
      try Data(try text(lines)).write(to: URL(fileURLWithPath: path))
      paths.append(form == .gzip ? try zipped(path) : path)
    }
    var options = ConvertOptions()
    if form == .rows || form == .textRows { options.body = JSONPointer("/body") }
    let sources = paths.map { RecordSource.file(InputFile(path: $0)) }
    var parity = ParityOptions(legacy: options, server: options)
    parity.showsSamples = false
    parity.tally.strict = strict
    var result = try await ParityRun(rules: Archives.rules, options: parity).compare(
      legacy: [sources[0]], server: [sources[1]], onReject: { _ in }, watch: { _ in true })
    var gates = ParityGates()
    gates.strict = strict
    gates.judge(&result)
    return result
  }

  private func zipped(_ path: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["gzip", "-1", path]
    try process.run()
    process.waitUntilExit()
    return path + ".gz"
  }
}

extension [PlantedArchives] {
  /// What parity says of all of them, some at a time.
  func judged() async throws -> [(archives: PlantedArchives, result: ParityResult)] {
    var judged: [(archives: PlantedArchives, result: ParityResult)] = []
    for start in stride(from: 0, to: count, by: 4) {
      let results = try await withThrowingTaskGroup(of: (Int, ParityResult).self) { group in
        for place in start..<Swift.min(start + 4, count) {
          let archives = self[place]
          group.addTask { (place, try await archives.judge()) }
        }
        var results: [Int: ParityResult] = [:]
        for try await (place, result) in group { results[place] = result }
        return results
      }
      judged += results.sorted { $0.key < $1.key }.map { (self[$0.key], $0.value) }
    }
    return judged
  }
}
