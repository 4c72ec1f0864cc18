import SlipcastSystem

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
