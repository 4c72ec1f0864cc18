import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
import SlipcastWire
import Testing

/// What a record lacks never makes its event surer.
@Suite struct ConfidencePropertyTests {
  /// Keys whose removal may raise the confidence of some types, and why that is right.
  ///
  /// V1 leaves some keys out to say no: without them the record shows something else. Other missing keys are unknown.
  struct Exemption {
    let keys: Set<String>
    let types: Set<String>
    /// The strongest confidence that the record may have without the key.
    let upTo: Confidence
    let reason: String
  }

  static let exemptions = [
    Exemption(
      keys: ["promotional_offer_id"], types: ["DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS"],
      upTo: .documented, reason: "Apple writes an offer only where one applies: its absence means no offer."),
    Exemption(
      keys: ["cancellation_date_ms"],
      types: ["CANCEL", "DID_CHANGE_RENEWAL_STATUS", "DID_RENEW", "INTERACTIVE_RENEWAL", "RENEWAL"], upTo: .documented,
      reason: "Apple writes it only on periods that were taken back: without it the period was not."),
    Exemption(
      keys: ["promotional_offer_id"], types: ["INITIAL_BUY"], upTo: .documented,
      reason: "a promotional offer points to an earlier subscription: without it nothing does."),
    Exemption(
      keys: ["unified_receipt", "latest_receipt_info", "purchase_date_ms"], types: ["INITIAL_BUY"], upTo: .inferred,
      reason: "the offer that contradicted a first purchase is gone with the list, or before offers existed."),
    Exemption(
      keys: ["unified_receipt", "latest_receipt_info", "in_app_ownership_type"], types: ["REVOKE"], upTo: .inferred,
      reason: "the record stated that the purchase is the customer's own; without it nothing contradicts the type."),
    Exemption(
      keys: ["latest_receipt_info"], types: ["DID_CHANGE_RENEWAL_PREF", "PRICE_INCREASE_CONSENT"], upTo: .documented,
      reason: "the list showed several subscriptions, or another product than the entry; without it one entry is left."),
    Exemption(
      keys: ["grace_period_expires_date_ms"], types: ["DID_FAIL_TO_RENEW"], upTo: .documented,
      reason: "Apple writes it only where grace is on: without it no time decides."),
    Exemption(
      keys: ["price_consent_status", "pending_renewal_info", "unified_receipt"], types: ["PRICE_INCREASE_CONSENT"],
      upTo: .documented, reason: "the event is always PRICE_INCREASE/PENDING; a consent that is given contradicts it."),
    Exemption(
      keys: [
        "unified_receipt", "latest_receipt_info", "original_transaction_id", "purchase_date_ms", "expires_date_ms",
      ], types: ["RENEWAL", "DID_RENEW"], upTo: .inferred,
      reason: "the history contradicted the type; without it the type speaks alone, and accepts the other event."),
    Exemption(
      keys: ["original_transaction_id", "purchase_date_ms", "expires_date_ms"], types: ["DID_CHANGE_RENEWAL_STATUS"],
      upTo: .inferred, reason: "another period of the list becomes the newest or the previous one."),
    Exemption(
      keys: ["original_transaction_id"], types: ["INTERACTIVE_RENEWAL"], upTo: .inferred,
      reason: "without the id at the top another subscription of the list may be the subject, chosen by its dates."),
    Exemption(
      keys: ["purchase_date_ms"], types: ["DID_CHANGE_RENEWAL_PREF", "INTERACTIVE_RENEWAL"], upTo: .inferred,
      reason: "without the date of the newest period another one is taken for the event's, at most as inferred."),
    Exemption(
      keys: ["pending_renewal_info", "auto_renew_product_id"],
      types: ["DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "INTERACTIVE_RENEWAL"], upTo: .inferred,
      reason: "the next product chose the subject, or its offer contradicted the history; else the dates choose."),
    Exemption(
      keys: ["pending_renewal_info", "auto_renew_product_id", "unified_receipt", "original_transaction_id"],
      types: ["DID_CHANGE_RENEWAL_PREF"], upTo: .documented,
      reason: "the body and its renewal entry named different products; without one of them nothing contradicts."),
    Exemption(
      keys: ["auto_renew_status", "pending_renewal_info"], types: ["DID_CHANGE_RENEWAL_STATUS"], upTo: .documented,
      reason: "the body and its renewal entry stated different values; without one of them nothing contradicts."),
    Exemption(
      keys: ["transaction_id", "is_upgraded", "latest_receipt_info", "unified_receipt"],
      types: ["DID_RECOVER", "DID_RENEW", "RENEWAL"], upTo: .documented,
      reason: "the list showed a first purchase or an upgrade, which is no renewal; without it nothing contradicts."),
  ]

  /// The order of strength, the strongest first.
  private static let order: [Confidence] = [.documented, .corroborated, .inferred, .ambiguous]
  private static func rank(_ confidence: Confidence) -> Int { order.firstIndex(of: confidence) ?? order.count }

  /// The confidence of a record; `nil` for what is rejected.
  private static func confidence(_ record: Node, _ converter: LegacyConverter) -> Confidence? {
    guard let cast = try? converter.convert(record.json), case .known(let confidence)? = cast.migration?.confidence
    else {
      return nil
    }
    return confidence
  }

  private static func mayRise(_ key: Node.Step?, of type: String, to confidence: Confidence) -> Bool {
    guard case .key(let key)? = key else { return false }
    return exemptions.contains {
      $0.types.contains(type) && $0.keys.contains(key) && rank($0.upTo) <= rank(confidence)
    }
  }

  @Test(arguments: RandomRecord.types) func removingAKeyNeverRaisesTheConfidence(_ type: String) throws {
    let converter = Shared.converter
    for seed in UInt64(1)...30 {
      let record = RandomRecord(type: type, seed: seed).body
      let before = try #require(Self.confidence(record, converter))
      guard before != .documented else { continue }
      for path in record.keyPaths {
        guard let after = Self.confidence(record.removing(path[...]), converter) else { continue }
        let holds = Self.rank(after) >= Self.rank(before) || Self.mayRise(path.last, of: type, to: after)
        #expect(holds, "seed \(seed), without \(path): \(before) becomes \(after)")
      }
    }
  }

  /// A fact that decides the event, and the keys that state it.
  struct Missing: CustomTestStringConvertible {
    let type: String
    let fact: String
    let keys: Set<String>
    var testDescription: String { "\(type) without \(fact)" }
  }

  static let missing = [
    Missing(type: "INITIAL_BUY", fact: "purchases", keys: ["latest_receipt_info"]),
    Missing(type: "INITIAL_BUY", fact: "purchase dates", keys: ["purchase_date_ms", "original_purchase_date_ms"]),
    Missing(type: "INTERACTIVE_RENEWAL", fact: "purchases", keys: ["latest_receipt_info"]),
    Missing(type: "INTERACTIVE_RENEWAL", fact: "dates and marks", keys: ["purchase_date_ms", "is_upgraded"]),
    Missing(type: "DID_CHANGE_RENEWAL_PREF", fact: "the next product", keys: ["auto_renew_product_id"]),
    Missing(type: "DID_CHANGE_RENEWAL_PREF", fact: "products", keys: ["product_id"]),
    Missing(type: "DID_CHANGE_RENEWAL_STATUS", fact: "the auto-renew status", keys: ["auto_renew_status"]),
    Missing(type: "DID_CHANGE_RENEWAL_STATUS", fact: "purchases", keys: ["latest_receipt_info"]),
    Missing(
      type: "DID_CHANGE_RENEWAL_STATUS", fact: "expiry dates, refunds and marks",
      keys: ["expires_date_ms", "cancellation_date_ms", "is_upgraded"]),
    Missing(type: "DID_FAIL_TO_RENEW", fact: "renewal entries", keys: ["pending_renewal_info"]),
    Missing(type: "RENEWAL", fact: "purchases", keys: ["latest_receipt_info"]),
    Missing(type: "RENEWAL", fact: "purchase dates", keys: ["purchase_date_ms"]),
    Missing(type: "RENEWAL", fact: "expiry dates", keys: ["expires_date_ms"]),
    Missing(
      type: "CANCEL", fact: "cancellation dates", keys: ["cancellation_date_ms", "cancellation_reason"]),
    Missing(type: "CANCEL", fact: "purchases", keys: ["latest_receipt_info", "web_order_line_item_id"]),
  ]

  @Test(arguments: missing) func aRecordWithoutADecidingFactIsNeverDocumented(_ missing: Missing) throws {
    let converter = Shared.converter
    for seed in UInt64(1)...20 {
      let record = RandomRecord(type: missing.type, seed: seed).body.removing(keys: missing.keys)
      #expect(Self.confidence(record, converter) != .documented, "seed \(seed)")
    }
  }

  /// A row that lacks its date or id may be the period before: whether it ran is unknown.
  @Test(arguments: ["purchase_date_ms", "expires_date_ms"])
  func aPreviousPeriodWithoutADateLeavesAPurchaseByHandOpen(_ key: String) throws {
    let converter = Shared.converter
    for seed in UInt64(1)...60 {
      let random = RandomRecord(type: "INTERACTIVE_RENEWAL", seed: seed)
      guard let path = random.body.keyPaths.filter({ $0.last == .key(key) }).dropFirst().first else { continue }
      guard Self.confidence(random.body, converter) == .ambiguous else { continue }
      #expect(Self.confidence(random.body.removing(path[...]), converter) == .ambiguous, "seed \(seed), \(path)")
    }
  }

  /// The Sandbox renews without failures; a record that names no environment may be from there.
  @Test func aRenewalWithoutItsEnvironmentIsNeverDocumented() throws {
    for seed in UInt64(1)...40 {
      let record = RandomRecord(type: "RENEWAL", seed: seed).body.removing(keys: ["environment"])
      #expect(Self.confidence(record, Shared.converter) != .documented, "seed \(seed)")
    }
  }

  /// The body of a CANCEL dates the cancellation that its row may lack.
  @Test func aCancellationThatOnlyTheBodyDatesIsJudgedByThatDate() throws {
    let rows = ["1583020800000", "1583850000000"].enumerated().map { place, purchase in
      """
      {"quantity":"1","product_id":"com.example.slipcast.\(place)","transaction_id":"7300010\(place)",
       "original_transaction_id":"73000100","web_order_line_item_id":"7390010\(place)",
       "purchase_date_ms":"\(purchase)",
       "original_purchase_date_ms":"1583020801000","expires_date_ms":"1586442000000",
       "subscription_group_identifier":"21741510"}
      """
    }
    for (delay, confidence) in [(120_000, Confidence.inferred), (7_200_000, .documented)] {
      let body = """
        {"notification_type":"CANCEL","environment":"PROD","bid":"com.example.slipcast",
         "original_transaction_id":73000100,"web_order_line_item_id":"73900100",
         "cancellation_date_ms":"\(1_583_850_000_000 + delay)",
         "unified_receipt":{"status":0,"latest_receipt_info":[\(rows.joined(separator: ","))],"pending_renewal_info":[]}}
        """
      let migration = try #require(try Shared.converter.convert(body).migration)
      #expect(migration.confidence == .known(confidence), "\(migration)")
    }
  }

  /// The periods before the newest one are what distinguishes these types' readings.
  @Test(arguments: ["INTERACTIVE_RENEWAL", "RENEWAL"])
  func aRecordWithoutHistoryIsNeverDocumented(_ type: String) throws {
    let converter = Shared.converter
    for seed in UInt64(1)...20 {
      let random = RandomRecord(type: type, seed: seed)
      guard let record = random.withoutHistory else { continue }
      #expect(Self.confidence(record, converter) != .documented, "seed \(seed)")
    }
  }
}
