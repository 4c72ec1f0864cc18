package import Foundation

/// A folder that is gone when the test is.
package struct TemporaryFolder: Sendable {
  package let url: URL
  package var path: String { url.path }

  /// Makes the folder with files by their paths; whoever makes it removes it.
  package init(_ files: [String: String] = [:]) throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("slipcast-\(UUID().uuidString.lowercased())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for (name, text) in files { try write(name, text) }
  }

  package func remove() { try? FileManager.default.removeItem(at: url) }

  /// Runs a body with a folder.
  package static func with<Result>(
    _ files: [String: String] = [:], _ body: (TemporaryFolder) throws -> Result
  ) throws -> Result {
    let folder = try TemporaryFolder(files)
    defer { folder.remove() }
    return try body(folder)
  }

  /// Runs a body with a folder.
  package static func with<Result>(
    _ files: [String: String] = [:], _ body: (TemporaryFolder) async throws -> Result
  ) async throws -> Result {
    let folder = try TemporaryFolder(files)
    defer { folder.remove() }
    return try await body(folder)
  }

  package func path(_ name: String = "") -> String { name.isEmpty ? url.path : url.appendingPathComponent(name).path }

  /// Writes a file, and the folders on the way to it.
  package func write(_ name: String, _ text: String = "{}") throws { try write(name, bytes: Array(text.utf8)) }

  /// Writes a file, and the folders on the way to it.
  package func write(_ name: String, bytes: [UInt8]) throws {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  package func read(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: url.appendingPathComponent(name)))
  }

  package func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  package func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(at: url.appendingPathComponent(name), withIntermediateDirectories: true)
  }

  package func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
  }
}

/// Files that are gone when the test is.
package enum Temporary {
  /// Runs a body with the path of a file that holds a text.
  package static func file(_ text: String, _ body: (String) async throws -> Void) async throws {
    try await file(Array(text.utf8), body)
  }

  /// Runs a body with the path of a file that holds bytes.
  package static func file(_ bytes: [UInt8], _ body: (String) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("file.ndjson", bytes: bytes)
    try await body(folder.path("file.ndjson"))
  }
}
