import Foundation
import SlipcastTestSupport

/// Inputs to begin with: the files of `Fixtures/`.
enum Seeds {
  /// The files of that name in all cases of the kinds; at most so many of each, spread over all.
  static func files(_ kinds: [String], named names: [String], most: Int = .max) throws -> [[UInt8]] {
    try kinds.flatMap { kind in
      let found = Fixture.cases(kind).flatMap { fixture in names.filter(fixture.exists).map { (fixture, $0) } }
      let step = max(1, found.count / max(1, most))
      return try stride(from: 0, to: found.count, by: step).map { try found[$0].0.bytes(found[$0].1) }
    }
  }

  /// The files of a folder of the package whose names end in one of these.
  static func folder(_ path: String, endingIn ends: [String]) throws -> [[UInt8]] {
    let root = Fixture.root.deletingLastPathComponent().appendingPathComponent(path)
    let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    return try names.sorted().filter { name in ends.contains { name.hasSuffix($0) } }
      .map { Array(try Data(contentsOf: root.appendingPathComponent($0))) }
  }
}
