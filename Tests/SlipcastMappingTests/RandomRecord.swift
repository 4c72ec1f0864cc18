import SlipcastTestSupport

/// JSON that a test can take apart: keys keep their order.
indirect enum Node {
  case text(String)
  case number(Int)
  /// A value as its source spells it.
  case raw(String)
  case list([Node])
  case object([(key: String, value: Node)])

  /// The JSON text.
  var json: String {
    switch self {
    case .text(let text): "\"\(text)\""
    case .number(let number): "\(number)"
    case .raw(let text): text
    case .list(let nodes): "[" + nodes.map(\.json).joined(separator: ",") + "]"
    case .object(let members): "{" + members.map { "\"\($0.key)\":\($0.value.json)" }.joined(separator: ",") + "}"
    }
  }

  /// One step of a path.
  enum Step: Hashable { case key(String), index(Int) }

  /// The paths of all keys, containers included.
  var keyPaths: [[Step]] {
    switch self {
    case .text, .number, .raw: []
    case .list(let nodes): nodes.indices.flatMap { index in nodes[index].keyPaths.map { [.index(index)] + $0 } }
    case .object(let members):
      members.flatMap { member in [[.key(member.key)]] + member.value.keyPaths.map { [.key(member.key)] + $0 } }
    }
  }

  /// The value without the key at that path.
  func removing(_ path: ArraySlice<Step>) -> Node {
    switch (self, path.first) {
    case (.list(var nodes), .index(let index)?):
      nodes[index] = nodes[index].removing(path.dropFirst())
      return .list(nodes)
    case (.object(let members), .key(let key)?):
      if path.count == 1 { return .object(members.filter { $0.key != key }) }
      return .object(members.map { ($0.key, $0.key == key ? $0.value.removing(path.dropFirst()) : $0.value) })
    default: return self
    }
  }

  /// The value without any of these keys, at any depth.
  func removing(keys: Set<String>) -> Node {
    switch self {
    case .text, .number, .raw: self
    case .list(let nodes): .list(nodes.map { $0.removing(keys: keys) })
    case .object(let members):
      .object(members.filter { !keys.contains($0.key) }.map { ($0.key, $0.value.removing(keys: keys)) })
    }
  }

  /// True where the key stands anywhere in the value.
  func contains(_ key: String) -> Bool {
    keyPaths.contains { $0.last == .key(key) }
  }
}

/// A random V1 notification whose parts fit together: a subscription with its history, and one event of it.
struct RandomRecord {
  let type: String
  let isSandbox: Bool
  private(set) var body = Node.object([])
  private var random: SeededGenerator
  private var rows: [Row] = []

  /// One period.
  private struct Row {
    let product: String
    let number: Int
    let subscription: Int
    /// When the first period was bought.
    let began: Int
    let bought: Int
    let ends: Int
    var extra: [(key: String, value: Node)] = []
    var cancelled: Int?
  }

  static let types = [
    "INITIAL_BUY", "INTERACTIVE_RENEWAL", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "DID_FAIL_TO_RENEW",
    "DID_RECOVER", "RENEWAL", "DID_RENEW", "CANCEL", "REFUND", "REVOKE", "PRICE_INCREASE_CONSENT",
    "CONSUMPTION_REQUEST",
  ]
  private static let products = ["monthly", "studio.monthly", "yearly"].map { "com.example.slipcast." + $0 }
  private static let day = 86_400_000

  init(type: String, seed: UInt64) {
    // Each type has its own records.
    random = SeededGenerator(seed: seed &* 64 &+ UInt64(Self.types.firstIndex(of: type) ?? 0))
    self.type = type
    isSandbox = random.number(1...7) == 1
    let start = 1_559_347_200_000 + random.number(0...2000) * Self.day
    rows = history(from: start, subscription: 1)
    if random.number(1...5) == 1 { rows += history(from: start + 3 * unit, subscription: 2) }
    body = .object(head() + [("unified_receipt", .object(receipt()))])
  }

  /// A day; in the Sandbox a month of 30 days lasts five minutes.
  private var unit: Int { isSandbox ? 10_000 : Self.day }
  private var newest: Row? { rows.last { $0.subscription == 1 } }
  private var isSubscription: Bool { type != "REFUND" && type != "CONSUMPTION_REQUEST" }

  private mutating func history(from start: Int, subscription: Int) -> [Row] {
    var (rows, bought, product) = ([Row](), start, random.one(of: Self.products))
    let count = type == "INITIAL_BUY" ? 1 : random.number(1...4)
    for number in 0..<count {
      var row = Row(
        product: product, number: number, subscription: subscription, began: start, bought: bought,
        ends: bought + 30 * unit)
      if random.number(1...6) == 1 { row.extra.append(("promotional_offer_id", .text("come.back"))) }
      let isUpgraded = number < count - 1 && random.number(1...5) == 1
      bought = row.ends + random.one(of: [0, 0, 0, 400_000, 2 * unit, 61 * unit])
      if isUpgraded {
        bought = row.bought + random.number(1...28) * unit
        product = random.one(of: Self.products.filter { $0 != row.product })
        if random.number(1...4) > 1 { row.extra.append(("is_upgraded", .text("true"))) }
      } else if random.number(1...8) == 1 || (number == count - 1 && (type == "CANCEL" || type == "REVOKE")) {
        row.cancelled = row.bought + random.number(1...20) * unit
      }
      rows.append(row)
    }
    return rows
  }

  /// When the event happened, for a change of auto-renew.
  private mutating func changeTime() -> Int {
    guard let newest else { return 0 }
    if let cancelled = newest.cancelled { return cancelled + random.one(of: [0, 5, 8]) * 3_600_000 }
    return random.one(of: [newest.bought + 5000, newest.bought + 10 * unit, newest.ends, newest.ends + 61 * unit])
  }

  private mutating func head() -> [(key: String, value: Node)] {
    var head: [(key: String, value: Node)] = [
      ("notification_type", .text(type)), ("environment", .text(isSandbox ? "Sandbox" : "PROD")),
      ("bid", .text("com.example.slipcast")),
    ]
    guard isSubscription, let newest else { return head }
    head.append(("auto_renew_product_id", .text(newest.product)))
    head.append(("auto_renew_status", .text(random.number(1...2) == 1 ? "true" : "false")))
    if type == "DID_CHANGE_RENEWAL_STATUS" {
      head.append(("auto_renew_status_change_date_ms", .text("\(changeTime())")))
    }
    if type == "CANCEL", let cancelled = newest.cancelled, random.number(1...2) == 1 {
      head.append(("cancellation_date_ms", .text("\(cancelled)")))
      head.append(("web_order_line_item_id", .text("7390010\(newest.number)")))
    }
    if random.number(1...5) > 1 { head.append(("original_transaction_id", .number(73_000_100))) }
    return head
  }

  private mutating func receipt() -> [(key: String, value: Node)] {
    var purchases = rows.sorted { $0.ends > $1.ends }.map(Self.node)
    if !isSubscription { purchases.append(otherPurchase) }
    let entries = Set(rows.map(\.subscription)).sorted().map { entry(of: $0) }
    return [
      ("status", .number(0)), ("latest_receipt_info", .list(purchases)), ("pending_renewal_info", .list(entries)),
    ]
  }

  private var otherPurchase: Node {
    let bought = (rows.first?.bought ?? 0) + unit
    var members: [(key: String, value: Node)] = [
      ("quantity", .text("1")), ("product_id", .text("com.example.slipcast.season.pass")),
      ("transaction_id", .text("73800000")), ("original_transaction_id", .text("73800000")),
      ("purchase_date_ms", .text("\(bought)")), ("original_purchase_date_ms", .text("\(bought)")),
    ]
    if type == "REFUND" {
      let cancelled = (rows.map(\.bought).max() ?? bought) + unit
      members.append(("cancellation_date_ms", .text("\(cancelled)")))
    }
    return .object(members)
  }

  private static func node(_ row: Row) -> Node {
    let chain = "73000\(row.subscription)"
    var members: [(key: String, value: Node)] = [
      ("quantity", .text("1")), ("product_id", .text(row.product)), ("transaction_id", .text("\(chain)0\(row.number)")),
      ("original_transaction_id", .text("\(chain)00")),
      ("web_order_line_item_id", .text("73900\(row.subscription)0\(row.number)")),
      ("purchase_date_ms", .text("\(row.bought)")), ("original_purchase_date_ms", .text("\(row.began + 1000)")),
      ("expires_date_ms", .text("\(row.ends)")), ("is_trial_period", .text("false")),
      ("is_in_intro_offer_period", .text("false")), ("in_app_ownership_type", .text("PURCHASED")),
      ("subscription_group_identifier", .text("2174\(row.subscription)510")),
    ]
    if let cancelled = row.cancelled {
      members += [("cancellation_date_ms", .text("\(cancelled)")), ("cancellation_reason", .text("0"))]
    }
    return .object(members + row.extra)
  }

  private mutating func entry(of subscription: Int) -> Node {
    guard let newest = rows.last(where: { $0.subscription == subscription }) else { return .object([]) }
    var members: [(key: String, value: Node)] = [
      ("original_transaction_id", .text("73000\(subscription)00")), ("product_id", .text(newest.product)),
      ("auto_renew_status", .text("1")),
    ]
    let isSubject = subscription == 1
    let next = isSubject && type == "DID_CHANGE_RENEWAL_PREF" ? random.one(of: Self.products) : newest.product
    members.append(("auto_renew_product_id", .text(next)))
    if isSubject, type == "DID_CHANGE_RENEWAL_PREF", random.number(1...4) == 1 {
      members.append(("promotional_offer_id", .text("stay.with.us")))
    }
    if isSubject, type == "DID_FAIL_TO_RENEW" {
      members += [("expiration_intent", .text("2")), ("is_in_billing_retry_period", .text("1"))]
      if random.number(1...2) == 1 {
        members.append(("grace_period_expires_date_ms", .text("\(newest.ends + 16 * unit)")))
      }
    }
    if isSubject, type == "PRICE_INCREASE_CONSENT" {
      members.append(("price_consent_status", .text(random.one(of: ["0", "0", "1"]))))
    }
    return .object(members)
  }
}

extension RandomRecord {
  /// The record with only the newest purchase of a subscription that has more; `nil` for others.
  var withoutHistory: Node? {
    guard case .object(let members) = body else { return nil }
    var isShorter = false
    let shorter = members.map { member -> (key: String, value: Node) in
      guard member.key == "unified_receipt", case .object(let receipt) = member.value else { return member }
      let parts = receipt.map { part -> (key: String, value: Node) in
        guard part.key == "latest_receipt_info", case .list(let rows) = part.value else { return part }
        let own = rows.filter { $0.json.contains(#""original_transaction_id":"73000100""#) }
        isShorter = own.count > 1
        return (part.key, .list(Array(own.prefix(1))))
      }
      return (member.key, .object(parts))
    }
    return isShorter ? .object(shorter) : nil
  }
}
