import SlipcastComparison
import SlipcastWire

extension ParityResult {
  private var notRead: Int { pairs.rejected.legacy + pairs.rejected.server }

  private func count(_ side: MissingEvent.Side) -> Int {
    side == .legacy ? pairs.rejected.legacy : pairs.rejected.server
  }

  /// Records that could not be read: where they stand, what they are about as far as they were read, and why.
  var unreadSection: ReportSection? {
    guard notRead > 0 else { return nil }
    let blocks = MissingEvent.Side.allCases.compactMap { side -> ReportBlock? in
      guard count(side) > 0 else { return nil }
      let records = unread.records(side)
      let rest = count(side) - records.count
      let more = rest > 0 ? [ReportItem(words: "\(rest.grouped) more; --rejects FILE keeps all")] : []
      return .titled(
        side == .legacy ? "V1 records" : "V2 records", summary: count(side).grouped,
        [.items(records.map(\.item) + more)])
    }
    let fails = failingGates.contains { $0.word == "maxRejects" }
    return ReportSection(
      id: "unread", title: "Records not read",
      summary: "\(Words.count(notRead, "record")) could not be read or compared" + (fails ? "" : " (accepted)"),
      tone: fails ? .bad : .caution, blocks: blocks)
  }

  var unreadCase: ReportCase? {
    guard let section = unreadSection else { return nil }
    guard section.tone == .bad else {
      return ReportCase(name: "records not read", kind: "unread", outcome: .skipped(section.summary))
    }
    return ReportCase(
      name: "records not read", kind: "unread",
      outcome: .failed(message: section.summary, type: "unread", details: section.blocks))
  }

  /// The same, for the page's search.
  var unreadRows: [ReportRecords.Row] {
    MissingEvent.Side.allCases.flatMap { side in
      unread.records(side).map { record in
        ReportRecords.Row(
          kind: side == .legacy ? "V1 not read" : "V2 not read", type: (record.type ?? "").safe,
          originalTransactionId: (record.originalTransactionIds ?? []).joined(separator: " ").safe, productId: "",
          time: record.originalTransactionIds == nil ? record.words : "",
          places: "\(record.placeWords); \(record.reason)".safe)
      }
    }
  }
}

extension UnreadRecord {
  /// `DID_RENEW of 2000000400000001`, and below it the place and the reason.
  fileprivate var item: ReportItem {
    ReportItem(name: words.safe, isCode: type != nil, details: ["\(placeWords): \(reason)".safe])
  }

  /// `v1.ndjson, record 12, row 4711`.
  fileprivate var placeWords: String {
    "\(place.source), record \(place.record.grouped)" + (place.id.map { ", row \($0)" } ?? "")
  }

  fileprivate var reason: String { path.isEmpty ? message : "\(path): \(message)" }
}
