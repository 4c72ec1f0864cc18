public import Foundation

/// One folder of `Fixtures/`: an input, what must come of it, and where it comes from.
public struct Fixture: Sendable, CustomStringConvertible {
  public let folder: URL
  public var name: String { folder.deletingLastPathComponent().lastPathComponent + "/" + folder.lastPathComponent }
  public var description: String { name }

  /// The folder `Fixtures` of the package.
  public static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures")

  /// True when expectations are to be written instead of compared: `RECORD=1 make test`.
  public static var isRecording: Bool { ProcessInfo.processInfo.environment["RECORD"] == "1" }

  /// The cases of one kind, by name.
  public static func cases(_ kind: String) -> [Fixture] {
    let parent = root.appendingPathComponent(kind)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted().map { Fixture(folder: parent.appendingPathComponent($0)) }
  }

  public func path(_ file: String) -> String { folder.appendingPathComponent(file).path }

  public func exists(_ file: String) -> Bool { FileManager.default.fileExists(atPath: path(file)) }

  public func bytes(_ file: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appendingPathComponent(file)))
  }

  public func text(_ file: String) throws -> String { String(decoding: try bytes(file), as: UTF8.self) }

  /// The lines of `arguments.txt`, or none.
  public var arguments: [String] {
    get throws {
      exists("arguments.txt") ? try text("arguments.txt").split(separator: "\n").map(String.init) : []
    }
  }

  /// Writes an expectation.
  public func record(_ text: String, _ file: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(file))
  }
}

/// The folder of real-world samples, when this machine has one: the tests that read it are skipped, visibly, without it.
public enum Corpus {
  public static let root = ProcessInfo.processInfo.environment["SLIPCAST_CORPUS"].map { URL(fileURLWithPath: $0) }
  public static var isPresent: Bool { root != nil }

  /// The sample files of one folder, by name.
  public static func files(_ folder: String) -> [String] {
    guard let folder = root?.appendingPathComponent(folder) else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted().map { folder.appendingPathComponent($0).path }
  }
}

extension Fixture {
  /// The case of that name, such as `notifications/did-renew`.
  public static func named(_ name: String) -> Fixture { Fixture(folder: root.appendingPathComponent(name)) }
}

/// Names in a folder.
public enum Folder {
  /// A file or folder of the package.
  public static func package(_ path: String) -> String {
    Fixture.root.deletingLastPathComponent().appendingPathComponent(path).path
  }

  /// Names that are not hidden, sorted.
  public static func names(_ path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }
}
