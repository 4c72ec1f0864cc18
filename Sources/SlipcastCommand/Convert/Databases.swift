import SlipcastBulk
import SlipcastStores
import SlipcastWire

/// Databases as inputs and targets of `convert`.
enum Databases {
  /// The rows that an input names; `nil` for a file.
  ///
  /// - Parameter side: chooses the records of a store.
  static func rows(_ name: String, _ side: StoreSideRule = .both) throws -> (any RowFeed)? {
    try ForeignLocation.check(name)
    return StoreLocation.isLocation(name) ? try Store.rows(try StoreLocation(name), side) : nil
  }

  /// A word of the command line without the password that may be in it.
  static func withoutPassword(_ word: String) -> String {
    let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
    if parts.count == 2, parts[0].hasPrefix("--"), StoreLocation.isLocation(parts[1]) {
      return parts[0] + "=" + withoutPassword(parts[1])
    }
    guard let scheme = ["postgres://", "postgresql://"].first(where: { word.hasPrefix($0) }) else { return word }
    var halves = word.dropFirst(scheme.count).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    if let sign = halves[0].prefix(while: { $0 != "/" }).lastIndex(of: "@") {
      let user = halves[0][..<sign].prefix { $0 != ":" }
      halves[0] = user + halves[0][sign...]
    }
    if halves.count == 2 {
      let kept = halves[1].split(separator: "&").filter { parameter in
        !LocationWords.isSecret(String(parameter.prefix { $0 != "=" }))
      }
      halves = kept.isEmpty ? [halves[0]] : [halves[0], kept.joined(separator: "&")[...]]
    }
    return PasswordMask.mask(scheme + halves.joined(separator: "?"))
  }

  static func dryRunMessage(_ location: StoreLocation, _ counts: RunCounts) throws -> String {
    let there =
      if let found = try Store.reader(location)?.counts() {
        "which contains \(found.notifications.grouped) notifications and "
          + "\(found.answers.grouped) answers; those that are among them already would be dropped too"
      } else {
        "which would be made"
      }
    return
      "slipcast: dry run: nothing was written. With --execute \(counts.converted.grouped) records "
      + "would go to \(Console.harmless(location.description)), \(there)\n"
  }
}
