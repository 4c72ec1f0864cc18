import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
import SlipcastWire
import Testing

/// What a record lacks never makes its event surer.
@Suite struct ConfidencePropertyTests {
  /// A key whose removal may raise the confidence, and why that is right.
  struct Exemption {
    let keys: Set<String>
    /// The strongest confidence that the record may have without the key.
    let upTo: Confidence
    let reason: String
  }

  static let exemptions = [
    Exemption(
      keys: ["is_upgraded"], upTo: .documented,
      reason: "Apple writes it only as true: its absence says that the period was not upgraded."),
    Exemption(
      keys: ["promotional_offer_id", "offer_code_ref_name"], upTo: .documented,
      reason: "Apple writes an offer only where one applies: its absence says that there is none."),
    Exemption(
      keys: ["cancellation_date_ms", "cancellation_reason"], upTo: .documented,
      reason:
        "Apple writes it only on refunded, revoked and upgraded periods: its absence says that the period was not."),
    Exemption(
      keys: ["is_trial_period", "is_in_intro_offer_period"], upTo: .documented,
      reason: "a period without the flag is no trial."),
    Exemption(
      keys: ["is_in_billing_retry_period", "expiration_intent", "grace_period_expires_date_ms"], upTo: .documented,
      reason: "a renewal entry without them is the entry of a subscription that renews without trouble."),
    Exemption(
      keys: ["price_consent_status", "price_increase_status"], upTo: .documented,
      reason: "a consent that is given contradicts PRICE_INCREASE_CONSENT, which asks for it."),
    Exemption(
      keys: ["notification_type"], upTo: .documented,
      reason: "without a type the record is no notification."),
    Exemption(
      keys: [
        "unified_receipt", "latest_receipt_info", "original_transaction_id", "purchase_date_ms", "expires_date_ms",
        "product_id", "subscription_group_identifier", "transaction_id", "web_order_line_item_id",
      ], upTo: .inferred,
      reason: "the history contradicted the type, so both readings were candidates; without it only the type speaks."),
    Exemption(
      keys: ["pending_renewal_info", "auto_renew_product_id"], upTo: .inferred,
      reason: "the next product or its offer contradicted the history; without it only the history speaks."),
  ]

  /// The order of strength, the strongest first.
  private static let order: [Confidence] = [.documented, .corroborated, .inferred, .ambiguous]
  private static func rank(_ confidence: Confidence) -> Int { order.firstIndex(of: confidence) ?? order.count }

  /// The confidence of a record; `nil` for what is rejected.
  private static func confidence(_ record: Node, _ caster: LegacyCaster) -> Confidence? {
    guard let cast = try? caster.cast(record.json), case .known(let confidence)? = cast.migration?.confidence else {
      return nil
    }
    return confidence
  }

  private static func mayRise(_ key: Node.Step?, to confidence: Confidence, in record: Node) -> Bool {
    guard case .key(let key)? = key else { return false }
    // The entry as a whole holds the consent that contradicts PRICE_INCREASE_CONSENT.
    if ["pending_renewal_info", "unified_receipt"].contains(key), record.contains("price_consent_status") {
      return true
    }
    return exemptions.contains { $0.keys.contains(key) && rank($0.upTo) <= rank(confidence) }
  }

  @Test(arguments: RandomRecord.types) func removingAKeyNeverRaisesTheConfidence(_ type: String) throws {
    let caster = Shared.caster
    for seed in UInt64(1)...10 {
      let record = RandomRecord(type: type, seed: seed).body
      let before = try #require(Self.confidence(record, caster))
      guard before != .documented else { continue }
      for path in record.keyPaths {
        guard let after = Self.confidence(record.removing(path[...]), caster) else { continue }
        let holds = Self.rank(after) >= Self.rank(before) || Self.mayRise(path.last, to: after, in: record)
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
    let caster = Shared.caster
    for seed in UInt64(1)...20 {
      let record = RandomRecord(type: missing.type, seed: seed).body.removing(keys: missing.keys)
      #expect(Self.confidence(record, caster) != .documented, "seed \(seed)")
    }
  }

  /// The periods before the newest one are what distinguishes these types' readings.
  @Test(arguments: ["INTERACTIVE_RENEWAL", "RENEWAL"])
  func aRecordWithoutHistoryIsNeverDocumented(_ type: String) throws {
    let caster = Shared.caster
    for seed in UInt64(1)...20 {
      let random = RandomRecord(type: type, seed: seed)
      guard let record = random.withoutHistory else { continue }
      #expect(Self.confidence(record, caster) != .documented, "seed \(seed)")
    }
  }
}
