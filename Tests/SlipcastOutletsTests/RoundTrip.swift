import SlipcastLegacy
import SlipcastMapping
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire

@testable import SlipcastOutlets
@testable import SlipcastReceipts

/// A V1 answer, converted to V2 and written back.
struct RoundTrip {
  /// A key whose value differs.
  struct Difference: Hashable, CustomStringConvertible {
    var path: String
    var before: String?
    var after: String?
    var description: String { "\(path): \(before ?? "nothing") → \(after ?? "nothing")" }
  }

  typealias Row = [String: String]

  /// Lists of V1 by their names, as rows of texts with their paths.
  private let before: [String: [(path: String, row: Row)]]
  private let after: [String: [(path: String, row: Row)]]
  /// Paths of V1 that the way there does not keep: lost, repeated, or with a finding.
  private var unkept: Set<String> = []
  /// Paths of the answer that its provenance declares lost.
  private var declared: Set<String> = []

  private static let transactions = [
    "latest_receipt_info", "latest_expired_receipt_info", "receipt.in_app", "receipt",
  ]

  init?(_ json: [UInt8], rules: RuleSet) throws {
    let text = Array(json.dropFirst(ByteOrderMark.count(in: json)))
    let converter = LegacyConverter(prepared: LegacyConverter.PreparedRules(rules: rules))
    let reader = JSONReader(names: [])
    var parts: [V2Part] = []
    for emission in [Emission.history, .statuses] {
      guard let conversion = try? converter.convert(text, into: emission) else { return nil }
      unkept.formUnion(conversion.account.unmapped.map(\.v1Path))
      unkept.formUnion(conversion.findings.map(\.path.description))
      parts += PartReader().read(text: Array(conversion.json.utf8), from: "")
    }
    let writer = AnswerWriter(table: InverseTable(rules), keepsProvenance: true)
    // An answer lists a consumable as long as it is not finished.
    let listed = Set(parts.compactMap { $0.text("transactionId") })
    let written = writer.answer(Customer(parts), AnswerWriter.Frame(environment: "Production", listed: listed))
    before = reader.parse(JSONBuffer(text)) { Self.lists(in: $0) } ?? [:]
    after = reader.parse(JSONBuffer(written.json)) { Self.lists(in: $0) } ?? [:]
    let losses: [String]? = reader.parse(JSONBuffer(written.provenance)) { line in
      line["losses"]?.children.compactMap { $0["path"]?.string }
    }
    declared = Set(losses ?? [])
  }

  private static func lists(in root: JSONElement) -> [String: [(path: String, row: Row)]] {
    var lists: [String: [(path: String, row: Row)]] = [:]
    for name in transactions + ["pending_renewal_info"] {
      var element: JSONElement? = root
      for step in name.split(separator: ".") { element = element?[String(step)] }
      if let element { lists[name] = rows(element, name) }
    }
    // Parts of answers: a list alone, a receipt alone, a transaction alone.
    if root.kind == .array { lists["latest_receipt_info"] = rows(root, "latest_receipt_info") }
    if root["transaction_id"] != nil { lists["latest_receipt_info"] = rows(root, "latest_receipt_info[0]") }
    if let purchases = root["in_app"] { lists["receipt.in_app"] = rows(purchases, "in_app") }
    return lists
  }

  /// The rows of a list, which programs also store as text or by number.
  private static func rows(_ element: JSONElement, _ path: String) -> [(path: String, row: Row)] {
    switch element.kind {
    case .string: return JSONReader(names: []).parse(JSONBuffer((element.string ?? "").utf8)) { rows($0, path) } ?? []
    case .array:
      return element.children.enumerated().filter { $0.element.kind == .object }
        .map { ("\(path)[\($0.offset)]", row($0.element)) }
    case .object where element.children.contains { $0.kind == .object && Int($0.name) != nil }:
      return element.children.filter { $0.kind == .object }.map { ("\(path).\($0.name)", row($0)) }
    case .object: return [(path, row(element))]
    default: return []
    }
  }

  private static func row(_ element: JSONElement) -> Row {
    var row: Row = [:]
    for child in element.children where ![.object, .array, .null].contains(child.kind) {
      row[child.name] = child.string ?? child.json
    }
    return row
  }

  // MARK: what differs

  /// What differs and no list declares.
  func undeclared(_ rules: RuleSet) -> [Difference] {
    differences(
      Self.transactions.flatMap { before[$0] ?? [] }, after["latest_receipt_info"] ?? [], by: "transaction_id",
      .latest_receipt_info, rules)
      + differences(
        before["pending_renewal_info"] ?? [], after["pending_renewal_info"] ?? [], by: "original_transaction_id",
        .pending_renewal_info, rules)
  }

  private func differences(
    _ old: [(path: String, row: Row)], _ new: [(path: String, row: Row)], by id: String, _ scope: LegacyScope,
    _ rules: RuleSet
  ) -> [Difference] {
    let written = Dictionary(new.map { ($0.row[id] ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    // A transaction that stands twice is read from the first place; the second one may have more.
    let read = Dictionary(
      old.map { ($0.row[id] ?? "", $0) },
      uniquingKeysWith: { ($0.path, $0.row.merging($1.row) { first, _ in first }) })
    let ids = Set(old.compactMap { $0.row[id] })
    var found = new.filter {
      !ids.contains($0.row[id] ?? "") && scope == .latest_receipt_info && !isNormalized($0.row[id], ids)
    }
    .map { Difference(path: $0.path, after: "a row that V1 does not have") }
    for (id, row) in read.sorted(by: { $0.key < $1.key }) {
      guard let other = written[id] else { continue }
      found += differences(row, other, scope, rules)
    }
    return found
  }

  /// An id that V1 had as a number with a fraction.
  private func isNormalized(_ id: String?, _ ids: Set<String>) -> Bool {
    guard let value = id.flatMap(Double.init) else { return false }
    return ids.contains { Double($0) == value }
  }

  private func differences(
    _ old: (path: String, row: Row), _ new: (path: String, row: Row), _ scope: LegacyScope, _ rules: RuleSet
  ) -> [Difference] {
    var found: [Difference] = []
    let unfilled = Set(rules.inverse.filter { $0.scope == scope }.flatMap(\.unfilled).map(\.name))
    for (key, value) in old.row.sorted(by: { $0.key < $1.key }) where new.row[key] != value {
      // Rows of other lists hold keys of the receipt too.
      guard rules.inverse.contains(where: { $0.paths.contains("\(scope.rawValue).\(key)") }) else { continue }
      if unfilled.contains(key) || isDeclared(key, old, new) || isRespelled(key, old.row, new.row) { continue }
      if key == "is_in_intro_offer_period", old.row["is_trial_period"] == "true", new.row[key] == "false" { continue }
      found.append(Difference(path: "\(old.path).\(key)", before: value, after: new.row[key]))
    }
    for (key, value) in new.row.sorted(by: { $0.key < $1.key }) where old.row[key] == nil {
      if Self.spellings(key).contains(where: { old.row[$0] != nil }) { continue }
      // No offer in V2 is a no in V1, where the key was left out.
      if ["is_trial_period", "is_in_intro_offer_period"].contains(key), value == "false" { continue }
      found.append(Difference(path: "\(old.path).\(key)", after: value))
    }
    return found
  }

  private func isDeclared(_ key: String, _ old: (path: String, row: Row), _ new: (path: String, row: Row)) -> Bool {
    let base = Self.base(key)
    if declared.contains("\(new.path).\(base)") { return true }
    return Self.spellings(key).contains { unkept.contains("\(old.path).\($0)") }
  }

  /// Another spelling of the same instant, or of the same number.
  private func isRespelled(_ key: String, _ old: Row, _ new: Row) -> Bool {
    if let before = old[key], let after = new[key], let number = Double(before), Double(after) == number { return true }
    let base = Self.base(key)
    guard let time = new["\(base)_ms"] else { return false }
    return Self.spellings(key).contains { old[$0] == time || old[$0] == new[$0] && new[$0] != nil }
  }

  private static func base(_ key: String) -> String {
    var key = key
    for ending in ["_ms", "_pst", "_formatted"] where key.hasSuffix(ending) { key.removeLast(ending.count) }
    return key
  }

  private static func spellings(_ key: String) -> [String] {
    ["", "_ms", "_pst", "_formatted", "_formatted_pst"].map { base(key) + $0 }
  }
}
