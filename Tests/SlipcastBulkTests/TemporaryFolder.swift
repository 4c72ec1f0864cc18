import Foundation

/// A folder that is gone when the test is.
struct TemporaryFolder {
  private let url: URL

  static func with(_ body: (TemporaryFolder) async throws -> Void) async throws {
    let name = "slipcast-\(UUID().uuidString)"
    let folder = TemporaryFolder(url: FileManager.default.temporaryDirectory.appendingPathComponent(name))
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder.url) }
    try await body(folder)
  }

  func path(_ name: String = "") -> String { name.isEmpty ? url.path : url.appendingPathComponent(name).path }

  /// Writes a file, and the folders on the way to it.
  func write(_ name: String, _ text: String = "{}") throws {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func write(_ name: String, bytes: [UInt8]) throws { try Data(bytes).write(to: url.appendingPathComponent(name)) }

  func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: url.appendingPathComponent(name))) }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(at: url.appendingPathComponent(name), withIntermediateDirectories: true)
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
  }
}
