package import Foundation

/// A test suite that others made.
///
/// It is outside the package, in a folder or file that an environment variable names; what reads it is skipped,
/// visibly, without it.
package struct ForeignSuite: Sendable {
  /// Its path; `nil` if this machine lacks it.
  package let root: URL?
  package var isPresent: Bool { root != nil }

  init(_ variable: String) {
    root = ProcessInfo.processInfo.environment[variable].map { URL(fileURLWithPath: $0) }
  }

  /// Nicolas Seriot's JSONTestSuite: its folder `test_parsing`.
  package static let json = ForeignSuite("SLIPCAST_JSONTESTSUITE")
  /// Project Wycheproof: its folder `testvectors_v1`.
  package static let wycheproof = ForeignSuite("SLIPCAST_WYCHEPROOF")
  /// x509-limbo: its file `limbo.json`.
  package static let limbo = ForeignSuite("SLIPCAST_LIMBO")

  /// The names of its files, sorted.
  package func names(_ prefix: String = "") -> [String] {
    root.map { Folder.names($0.path) }?.filter { $0.hasPrefix(prefix) } ?? []
  }

  /// The bytes of one of its files.
  package func bytes(_ name: String) throws -> [UInt8] {
    guard let root else { throw CocoaError(.fileNoSuchFile) }
    return Array(try Data(contentsOf: root.appendingPathComponent(name)))
  }
}

/// A table of results in `Tests/end-to-end/conformance`.
///
/// The test that makes it compares it, so it is always current; `RECORD=1` rewrites it.
package enum ConformanceTable {
  /// The table as it stands; with `RECORD=1` as it is from now on.
  package static func stated(_ file: String, instead text: String) throws -> String {
    let url = URL(fileURLWithPath: Folder.package("Tests/end-to-end/conformance/" + file))
    if Fixture.isRecording { try Data(text.utf8).write(to: url) }
    return try String(contentsOf: url, encoding: .utf8)
  }

  /// One line of a table; a bar inside a cell would end it.
  package static func row(_ cells: String...) -> String {
    "| " + cells.map { $0.replacingOccurrences(of: "|", with: "\\|") }.joined(separator: " | ") + " |\n"
  }

  /// The head of a table.
  package static func head(_ cells: String...) -> String {
    "| " + cells.joined(separator: " | ") + " |\n|" + cells.map { _ in "---|" }.joined() + "\n"
  }
}
