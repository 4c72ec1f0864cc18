import Foundation
import SlipcastFuzzTargets

/// A folder with a folder of inputs for each target, and its dictionary next to it.
struct SeedFolder {
  private let root: URL

  init(_ path: String) { root = URL(fileURLWithPath: path) }

  func write(_ target: FuzzTarget) throws {
    let place = root.appendingPathComponent(target.name)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    for (number, seed) in try target.seeds().enumerated() where seed.count <= target.limit {
      try Data(seed).write(to: place.appendingPathComponent("seed-\(number)"))
    }
    let words = Set(target.words).sorted().map { word in "\"" + word.utf8.map(Self.escape).joined() + "\"\n" }
    try Data(words.joined().utf8).write(to: URL(fileURLWithPath: place.path + ".dict"))
  }

  private static func escape(_ byte: UInt8) -> String { "\\x" + String(Int(byte) + 0x100, radix: 16).dropFirst() }
}
