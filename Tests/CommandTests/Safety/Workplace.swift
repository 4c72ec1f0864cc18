import Foundation
import SlipcastTestSupport
import Testing

@testable import SlipcastCommand

/// A folder that a command works in, deleted with the test; inputs are in `in`.
struct Workplace {
  let url: URL

  static func with<Result>(_ body: (Workplace) throws -> Result) throws -> Result {
    let name = "slipcast-\(UUID().uuidString)"
    let place = Workplace(url: FileManager.default.temporaryDirectory.appendingPathComponent(name))
    try FileManager.default.createDirectory(
      at: place.url.appendingPathComponent("in"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place.url) }
    return try body(place)
  }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: url.appendingPathComponent(name))
  }

  /// The example of a migration: `in/v1.ndjson`, its end cut off, and `in/v2.ndjson`.
  func copyExample() throws {
    let example = URL(fileURLWithPath: Folder.package("Examples/migration"))
    let legacy = try String(contentsOf: example.appendingPathComponent("v1.ndjson"), encoding: .utf8)
    try write("in/v1.ndjson", legacy.split(separator: "\n").prefix(12).joined(separator: "\n") + "\n{\"bad\":")
    let server = try String(contentsOf: example.appendingPathComponent("v2.ndjson"), encoding: .utf8)
    try write("in/v2.ndjson", server.split(separator: "\n").prefix(8).joined(separator: "\n") + "\n")
    let pair = Fixture.named("pairs/price-consent-1-v2-1")
    for name in ["v1.json", "v2.json"] { try write("in/\(name)", try pair.text(name)) }
  }

  func run(_ words: [String], _ environment: [String: String] = [:]) throws -> Program {
    try Program.run(words, in: url.path, ["TMPDIR": url.path].merging(environment) { $1 })
  }

  /// Shell lines in the folder, in which `slipcast` is the program and nothing of a mode is masked.
  func shell(_ lines: String) throws -> Program {
    try Program.shell("cd '\(url.path)'; export TMPDIR='\(url.path)'; umask 000\n\(lines)")
  }

  /// Everything outside of `in`, by path, with its mode: `600 out.ndjson`.
  func listing() throws -> [String] {
    try names().map { name in
      let mode = try FileManager.default.attributesOfItem(atPath: url.appendingPathComponent(name).path)[
        .posixPermissions]
      return String((mode as? Int) ?? 0, radix: 8) + " " + name
    }
  }

  /// The bytes of all files outside of `in`.
  func contents() throws -> [(name: String, bytes: Data)] {
    try names().compactMap { name in
      let file = url.appendingPathComponent(name)
      let values = try file.resourceValues(forKeys: [.isRegularFileKey])
      return values.isRegularFile == true ? (name, try Data(contentsOf: file)) : nil
    }
  }

  private func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: url.path).filter { $0 != "in" && !$0.hasPrefix("in/") }.sorted()
  }
}

/// The options of all commands that name files.
enum FileOptions {
  /// `convert --to`, and so on.
  static func all(_ use: FileUse) -> Set<String> {
    Set(
      Slipcast.commands.flatMap { command in
        command.description.options.filter { $0.file == use }.map { "\(command.description.name) --\($0.name)" }
      })
  }

  /// What stands for a value that names a file or a folder.
  static let values: Set = ["FILE", "FOLDER", "TARGET", "IDENTITY", "INPUT"]
}
