import Foundation
import SlipcastMapping
import SlipcastV2
import SlipcastWire

/// Which values may differ or be missing without a contradiction, and other values for those that may not.
enum PlantedRules {
  // MARK: what the rules tolerate

  /// A reading lets other values stand, or the value is part of what names the event.
  static func mayDiffer(_ path: String) -> Bool {
    guard let rule = Customer.rule(path) else { return true }
    switch rule.comparing.compare {
    case .version, .renumbered, .grace, .boundary, .synthetic, .signing, .paging: return true
    // The subtype may be one that V2 also sends for the message.
    case .event: return true
    default: return !rule.comparing.untold.isEmpty || rule.from.isEmpty
    }
  }

  /// V2 may leave it out: it got the member later, or absence says the same.
  static func mayLack(_ path: String) -> Bool {
    guard let rule = Customer.rule(path) else { return true }
    switch rule.comparing.compare {
    case .event, .synthetic, .signing, .paging, .grace: return true
    default:
      return rule.since != nil || rule.from.isEmpty || rule.using == "ownership" || rule.comparing.silentAs != nil
    }
  }

  /// The value is V1's, not a conclusion from it.
  static func isCopied(_ path: String) -> Bool {
    guard let rule = Customer.rule(path) else { return false }
    // An entry with another id is the renewal of another subscription, which other messages report.
    if path == "data.renewalInfo.originalTransactionId" { return false }
    // V1 spells these twice.
    if ["environment", "bundleId"].contains(path.split(separator: ".").last.map(String.init) ?? "") { return false }
    return [.identical, .renamed, .retyped].contains(rule.relation)
  }

  static func saysByAbsence(_ path: String) -> Bool {
    Customer.rule(path).map { $0.comparing.absent != nil && $0.comparing.silentAs == nil } ?? false
  }

  // MARK: other values of V2

  static func other(_ path: String, _ old: Any?) -> Any? {
    switch Customer.kind(path) {
    case .milliseconds: (old as? Int64 ?? 0) + 3 * 86_400_000
    case .boolean: !(old as? Bool ?? false)
    case .uuid: "0ddba110-0000-4000-8000-00000000000a"
    case .word: words(path).first { $0 != old as? String }
    case .code, .integer32, .integer64, .milliunits: (old as? Int64 ?? 0) == 1 ? Int64(0) : 1
    case .text: "\(old ?? "")9"
    default: nil
    }
  }

  /// The words that the rules name for a V2 path, in order.
  static func words(_ path: String) -> [String] {
    guard case .word = Customer.kind(path), let name = path.split(separator: ".").last else { return [] }
    return Archives.rules.values.filter { $0.of == name && $0.vocabulary == "V2" }.map(\.value)
  }

  /// A value of another kind than Apple documents.
  static func unreadable(_ path: String) -> Any? {
    switch Customer.kind(path) {
    case .milliseconds, .code, .integer32, .integer64, .milliunits: "ten"
    case .boolean: "perhaps"
    case .text, .uuid, .word: ["list"]
    default: nil
    }
  }

  // MARK: other values of V1

  static func otherV1(_ path: String, _ origin: String, _ old: Any?) -> Any? {
    let text = (old as? String) ?? "\(old ?? "")"
    switch Customer.kind(path) {
    case .milliseconds:
      guard origin.hasSuffix("_ms"), let number = Int64(text) else { return nil }
      return "\(number + 3 * 86_400_000)"
    case .boolean, .code:
      return ["0": "1", "1": "0", "true": "false", "false": "true"][text]
    case .uuid: return "0ddba110-0000-4000-8000-00000000000a"
    case .integer32: return Int64(text).map { "\($0 + 1)" }
    case .text: return old is String ? text + "9" : nil
    default: return nil
    }
  }

  static func unreadableV1(_ path: String) -> Any? {
    // The body states auto-renew too, and stands in for the entry.
    if path.hasSuffix(".autoRenewStatus") { return nil }
    return switch Customer.kind(path) {
    case .milliseconds: "1.73909E+12"
    case .uuid: "user-42"
    case .integer32: "ten"
    case .boolean, .code: "perhaps"
    default: nil
    }
  }

  /// Changes a V1 value; the other spellings of a date go, because they would contradict it.
  static func replacing(_ root: Any, _ origin: String, with new: Any?) -> Any {
    var root = root
    if origin.hasSuffix("_ms") {
      let base = String(origin.dropLast(3))
      for spelling in [base, base + "_pst"] {
        root = JSONTree.replacing(root, at: JSONTree.steps(spelling)[...], with: nil)
      }
    }
    return JSONTree.replacing(root, at: JSONTree.steps(origin)[...], with: new)
  }

  /// The same record in other JSON types: numbers and texts, and a newer receipt.
  static func respelled(_ record: Any) -> Any {
    let dates: Set<String> = ["purchase_date_ms", "expires_date_ms", "original_purchase_date_ms"]
    let numbers = JSONTree.mapping(record, keys: dates.union(["quantity"])) { value in
      (value as? String).flatMap { Int64($0) } ?? value
    }
    let texts = JSONTree.mapping(numbers, keys: ["original_transaction_id"]) { value in
      (value as? NSNumber).map { $0.stringValue } ?? value
    }
    return JSONTree.mapping(texts, keys: ["latest_receipt"]) { _ in "YW5vdGhlciByZWNlaXB0" }
  }
}
