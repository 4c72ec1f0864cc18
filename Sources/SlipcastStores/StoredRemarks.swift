internal import SlipcastBulk
internal import SlipcastMapping

/// Findings as the query of a store's records joins them: a unit separator between parts, a record separator after
/// each.
enum StoredRemarks {
  /// A path without control characters: the separators, and U+0000, which PostgreSQL cannot store.
  static func storable(_ path: String) -> String {
    guard path.utf8.contains(where: { $0 < 0x20 }) else { return path }
    return String(path.unicodeScalars.map { $0.value < 0x20 ? "\u{FFFD}" : Character($0) })
  }

  /// Another program may have changed the database; no record has more, and counts of all records cannot overflow.
  private static let most = 1 << 31

  static func read(_ text: String?) -> [RepeatedFinding] {
    guard let text, !text.isEmpty else { return [] }
    return text.split(separator: "\u{1E}", omittingEmptySubsequences: false).compactMap { finding in
      let parts = finding.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 5, let occurrences = Int(parts[2]) else { return nil }
      return RepeatedFinding(
        code: parts[0], severity: parts[1], occurrences: min(max(0, occurrences), most), path: parts[3],
        message: parts[4])
    }
  }
}

/// When a page is full.
enum PageLimit {
  static let bytes = 1 << 20
  static let rows = 4096

  static func isReached(_ page: RowPage) -> Bool { page.bytes.count >= bytes || page.rows.count >= rows }
}
