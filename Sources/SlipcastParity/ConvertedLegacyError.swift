internal import SlipcastBulk

/// The legacy side holds records that Slipcast converted, in place of the archive that they came from.
///
/// A converted record says what V2 would have said, not what V1 said: without V1's own values, and without the messages
/// that distinguish companions, the comparison would have another result than that of the archive.
package struct ConvertedLegacyError: Error, CustomStringConvertible {
  private let subject: String
  private let advice: String

  init(source: String, record: Int) {
    subject = "\(source), record \(record), is a record that Slipcast converted"
    advice = "use the V1 archive that it was converted from: --legacy ARCHIVE"
  }

  /// Describes a store, which knows where its records came from.
  init(store: any RowFeed) {
    let page = RowPage()
    _ = try? store.read(into: page)
    let sources = page.rows.compactMap { $0.note?.source }.filter { !$0.isEmpty }
    let others = sources.contains { $0 != sources[0] } ? " and others" : ""
    let origin = sources.first.map { " from \($0)\(others)" } ?? ""
    subject = "\(store.name) is a store of records that Slipcast converted\(origin)"
    advice = "use the V1 archive itself: --legacy \(others.isEmpty ? sources.first ?? "ARCHIVE" : "ARCHIVE")"
  }

  package var description: String {
    "nothing was compared: \(subject); it does not contain the V1 values that are compared; \(advice)"
  }
}
