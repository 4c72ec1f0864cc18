import Foundation

/// Files that are gone when the test is.
package enum Temporary {
  /// Runs a body with the path of a file that holds a text.
  package static func file(_ text: String, _ body: (String) async throws -> Void) async throws {
    try await file(Array(text.utf8), body)
  }

  /// Runs a body with the path of a file that holds bytes.
  package static func file(_ bytes: [UInt8], _ body: (String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("slipcast-\(UUID().uuidString).ndjson")
    try Data(bytes).write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    try await body(path.path)
  }
}
