import SlipcastComparison
import SlipcastMapping
import SlipcastWire

extension ParityResult {
  /// Missing events, customers whose access differs, failing pairs, and records that were not read, by their ids: what a page filters.
  var findSection: ReportSection? {
    let rows = missingRows + customerRows + pairRows + unreadRows
    guard !rows.isEmpty else { return nil }
    let all = missing.kinds.reduce(0) { $0 + $1.count } + (access?.listed ?? 0)
    let left = all - missingRows.count - customerRows.count
    let more =
      left > 0
      ? [
        ReportBlock.items([ReportItem(words: "\(left.grouped) more are not on this page; JSON and --access list all")])
      ]
      : []
    return ReportSection(
      id: "find", title: "Find a record",
      about: "Missing events, customers whose access differs, failing pairs, and records that could not be read, by "
        + "original transaction id, row id, type or product.", visibility: .page,
      blocks: [.records(ReportRecords(caption: "Records that differ", rows: rows))] + more)
  }

  private var missingRows: [ReportRecords.Row] {
    MissingEvent.Side.allCases.flatMap { side in
      missing.events(side).map { event in
        let row = event.place.id.map { ", row \($0)" } ?? ""
        return ReportRecords.Row(
          kind: (side == .legacy ? "missing in V2" : "missing in V1") + (event.isAccepted ? ", accepted" : ""),
          type: event.type.safe, originalTransactionId: (event.subject.originalTransactionId ?? "").safe,
          productId: (event.subject.productId ?? "").safe, time: event.time.map { Words.moment($0) } ?? "",
          places: "\(side == .legacy ? "V1" : "V2") \(event.place.source), record \(event.place.record.grouped)\(row)"
            .safe)
      }
    }
  }

  private var customerRows: [ReportRecords.Row] {
    accessSamples.kept.map { outcome, change in
      let places = [("V1", change.legacy), ("V2", change.server)].compactMap { name, state -> String? in
        guard let record = state.record else { return nil }
        return "\(name) record \(Int(record).grouped)" + (state.id.map { ", row \($0)" } ?? "")
      }
      return ReportRecords.Row(
        kind: outcome.title, type: change.server.record == nil ? change.legacy.event.safe : change.server.event.safe,
        originalTransactionId: (change.originalTransactionId ?? "").safe, productId: (change.productId ?? "").safe,
        time: (change.server.until ?? change.legacy.until).map { "until \(Words.moment($0))" } ?? "",
        places: places.joined(separator: "; ").safe)
    }
  }

  /// Each failing pair once, with the paths that fail in it.
  private var pairRows: [ReportRecords.Row] {
    var (paths, order) = ([PairNumbers: [String]](), [FoundDifference.Pair]())
    for found in differences where found.fails {
      for pair in found.pairs where pair.numbers.isPair {
        if paths[pair.numbers] == nil { order.append(pair) }
        paths[pair.numbers, default: []].append(found.path)
      }
    }
    return order.map { pair in
      let names = Self.unique(paths[pair.numbers] ?? [])
      let words = Self.records(pair.legacyRecord, pair.serverRecord).safe
      let rows = [("V1 row", pair.subject.legacyId), ("V2 row", pair.subject.serverId)].compactMap { name, id in
        id.map { "\(name) \($0)" }
      }
      return ReportRecords.Row(
        kind: "conflict", type: (pair.subject.type ?? "").safe,
        originalTransactionId: (pair.subject.originalTransactionId ?? "").safe,
        productId: (pair.subject.productId ?? "").safe, time: names.joined(separator: ", ").safe,
        places: ([words] + rows).joined(separator: ", ").safe, pair: pairNumber(pair.pair))
    }
  }

  private static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  private static let (mostApps, mostMonths) = (20, 36)

  /// Conflicts by app and month.
  var appSection: ReportSection? {
    guard appMonths.contains(where: { $0.conflicting > 0 }) else { return nil }
    let apps = Array(Self.unique(appMonths.filter { $0.conflicting > 0 }.map(\.bundleId)).prefix(Self.mostApps))
    let months = Set(appMonths.map(\.month)).sorted().suffix(Self.mostMonths)
    let cells = Dictionary(
      appMonths.map { ([$0.bundleId, String($0.month)], $0) }, uniquingKeysWith: { one, _ in one })
    func name(_ month: Int) -> String { "\(month / 12)-\(month % 12 < 9 ? "0" : "")\(month % 12 + 1)" }
    let matrix = ReportMatrix(
      corner: "app \\ month", caption: "Pairs by app (rows) and month (columns); conflicts after the cross",
      rows: apps.map { $0.isEmpty ? "no bundle id" : $0.safe }, columns: months.map(name),
      cells: apps.map { app in
        months.map { month in
          cells[[app, String(month)]].map { ReportMatrix.Cell(count: $0.pairs, conflicts: $0.conflicting) }
        }
      }, showsConflicts: true)
    return ReportSection(
      id: "apps", title: "Apps and months",
      about: "Pairs by app and month (UTC). A cross marks months with conflicts, and "
        + "the number after it counts them.", visibility: .page, blocks: [.matrix(matrix)])
  }
}
