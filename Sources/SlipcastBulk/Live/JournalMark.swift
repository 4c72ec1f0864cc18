/// The file that marks a folder as a journal of `slipcast serve`.
package enum JournalMark {
  package static func path(in folder: String) -> String { folder + "/journal.json" }

  package static func isPresent(in folder: String) -> Bool { Platform.kind(path(in: folder)) == .file }

  /// The name of the part that begins with an event: its number in 16 digits.
  package static func part(_ first: Int64) -> String {
    let number = String(first)
    return String(repeating: "0", count: max(0, 16 - number.count)) + number + ".ndjson"
  }

  /// The number of the event that a part begins with, by the part's path.
  package static func first(of path: String) -> Int64? {
    path.split(separator: "/").last.flatMap { Int64($0.prefix { $0 != "." }) }
  }

  package static func isPart(_ name: String) -> Bool {
    name.hasSuffix(".ndjson") && name.utf8.count == 23 && name.utf8.prefix(16).allSatisfy { (0x30...0x39).contains($0) }
  }
}

extension Platform {
  package static func contents(of path: String, limit: Int) throws(BulkError) -> [UInt8] {
    var bytes: [UInt8] = []
    try FileBytes(InputFile(path: path)).forEachPiece(upTo: limit) { bytes += $0 }
    return bytes
  }

  /// How many bytes of a file are complete lines.
  static func wholeLines(of path: String) throws(BulkError) -> Int {
    let descriptor = try open(path)
    defer { close(descriptor) }
    var end = size(path) ?? 0
    while end > 0 {
      let count = min(end, 64 << 10)
      let piece = try read(descriptor, at: end - count, count: count)
      if let feed = piece.lastIndex(of: 0x0A) { return end - count + feed + 1 }
      end -= count
    }
    return 0
  }

  /// Replaces a small file completely, or not at all; it is on disk then.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(BulkError) {
    let name = path + ".new"
    let descriptor = try create(name)
    defer { close(descriptor) }
    try write(descriptor, bytes, path: name)
    try synchronize(descriptor, path: name)
    try WrittenFile(descriptor, path: name).rename(to: path)
  }

  package static func write(_ descriptor: Int32, _ bytes: [UInt8], path: String) throws(BulkError) {
    try write(descriptor, bytes.span, path: path)
  }
}
