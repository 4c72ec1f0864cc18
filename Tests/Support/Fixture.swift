package import Foundation

/// One folder of `Fixtures/`: an input, what must come of it, and where it comes from.
package struct Fixture: Sendable, CustomStringConvertible {
  package let folder: URL
  package var name: String { folder.deletingLastPathComponent().lastPathComponent + "/" + folder.lastPathComponent }
  package var description: String { name }

  /// The folder `Fixtures` of the package.
  package static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures")

  /// The file is one of the package's fixtures, not of the corpus.
  package static func isOwn(_ file: String) -> Bool { file.hasPrefix(root.path) }

  /// True when expectations are to be written instead of compared: `RECORD=1 make test`.
  package static var isRecording: Bool { ProcessInfo.processInfo.environment["RECORD"] == "1" }

  /// The cases of one kind, by name.
  package static func cases(_ kind: String) -> [Fixture] {
    let parent = root.appendingPathComponent(kind)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
    // Every case says where it comes from; what does not is no case, as `receipts/signed`, which holds some. Streams are
    // files.
    return names.filter { !$0.hasPrefix(".") }.sorted().map { Fixture(folder: parent.appendingPathComponent($0)) }
      .filter { $0.exists("source.txt") || kind == "streams" }
  }

  /// Those cases of one kind beside which a file stands: the golden ones have their whole output.
  package static func cases(_ kind: String, with file: String) -> [Fixture] { cases(kind).filter { $0.exists(file) } }

  package func path(_ file: String) -> String { folder.appendingPathComponent(file).path }

  package func exists(_ file: String) -> Bool { FileManager.default.fileExists(atPath: path(file)) }

  package func bytes(_ file: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appendingPathComponent(file)))
  }

  package func text(_ file: String) throws -> String { String(decoding: try bytes(file), as: UTF8.self) }

  /// The lines of `arguments.txt`, or none.
  package var arguments: [String] {
    get throws {
      exists("arguments.txt") ? try text("arguments.txt").split(separator: "\n").map(String.init) : []
    }
  }

  /// Writes an expectation.
  package func record(_ text: String, _ file: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(file))
  }
}

/// The folder of real-world samples, when this machine has one: the tests that read it are skipped, visibly, without it.
package enum Corpus {
  package static let root = ProcessInfo.processInfo.environment["SLIPCAST_CORPUS"].map { URL(fileURLWithPath: $0) }
  package static var isPresent: Bool { root != nil }

  /// The bytes of one sample.
  package static func bytes(_ path: String) throws -> [UInt8] {
    guard let file = root?.appendingPathComponent(path) else { throw CocoaError(.fileNoSuchFile) }
    return Array(try Data(contentsOf: file))
  }

  /// The names of all files of one folder.
  package static func names(_ folder: String) -> [String] {
    root.map { Folder.names($0.appendingPathComponent(folder).path) } ?? []
  }

  /// The sample files of one folder, by name.
  package static func files(_ folder: String) -> [String] {
    guard let folder = root?.appendingPathComponent(folder) else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted().map { folder.appendingPathComponent($0).path }
  }
}

extension Fixture {
  /// The case of that name, such as `notifications/did-renew`.
  package static func named(_ name: String) -> Fixture { Fixture(folder: root.appendingPathComponent(name)) }
}

/// Names in a folder.
package enum Folder {
  /// A file or folder of the package.
  package static func package(_ path: String) -> String {
    Fixture.root.deletingLastPathComponent().appendingPathComponent(path).path
  }

  /// Names that are not hidden, sorted.
  package static func names(_ path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }
}
