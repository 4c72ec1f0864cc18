import SlipcastLegacy
import SlipcastWire

extension FuzzTarget {
  /// The reader of legacy records.
  static let legacy = FuzzTarget(
    name: "legacy",
    summary: "a legacy record is read or refused with a place inside it; the shared secret is never read",
    seeds: { try Seeds.files(["notifications", "receipts", "rejects"], named: ["v1.json", "input.json"], most: 80) },
    words: LegacyWords.all,
    make: { { bytes in try read(Array(bytes)) } })

  private static func read(_ bytes: [UInt8]) throws {
    let document: LegacyDocument
    do {
      document = try LegacyDocument(json: bytes)
    } catch {
      let offset = (error as? LegacyError)?.offset ?? (error as? JSONError)?.offset
      guard let offset else { throw Violation("an error without a place: \(error)") }
      guard (0...bytes.count).contains(offset) else { throw Violation("an error's place lies outside the text") }
      return
    }
    let lists = [document.transactions, document.inApp, document.renewals].flatMap { $0 }
    let objects = [document.body, document.unifiedReceipt, document.receipt, document.flatTransaction].compactMap { $0 }
    for object in objects + lists {
      guard !object.keys.contains(.password) else { throw Violation("the shared secret was read") }
      for key in object.keys {
        guard object.text(key) != nil else { throw Violation("a key that is present has no text") }
        _ = (object.integer(key), object.flag(key), object.date(key))
      }
    }
  }
}

/// Words that legacy records consist of.
enum LegacyWords {
  static let all =
    LegacyKey.names + [
      "INITIAL_BUY", "CANCEL", "DID_RENEW", "DID_RECOVER", "DID_FAIL_TO_RENEW", "DID_CHANGE_RENEWAL_PREF",
      "DID_CHANGE_RENEWAL_STATUS", "INTERACTIVE_RENEWAL", "PRICE_INCREASE_CONSENT", "REFUND", "REVOKE",
      "CONSUMPTION_REQUEST", "RENEWAL", "Sandbox", "PROD", "Production", "ProductionSandbox", "true", "false",
      "2020-02-29 12:00:00 Etc/GMT", "2020-02-29 04:00:00 America/Los_Angeles", "1582977600000", "9223372036854775807",
      "-9223372036854775808", "FAMILY_SHARED", "PURCHASED", "21006",
    ]
}
