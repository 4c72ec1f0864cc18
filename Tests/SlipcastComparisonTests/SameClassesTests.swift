import Foundation
import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
import Testing

@testable import SlipcastComparison

/// `diff` and `parity` give each path the same class, whichever field of whichever side is removed or changed.
@Suite struct SameClassesTests {
  /// A legacy record, what it is compared with, and how `parity` takes answers apart.
  struct Form: CustomTestStringConvertible {
    var fixture: String
    var emission: Emission
    var unit: ParityUnit
    var isSigned = false

    var testDescription: String { "\(fixture) as \(emission)\(isSigned ? ", signed" : "")" }

    func pair() throws -> (legacy: Any, server: Any) {
      let legacy = try Fixture.named(fixture).bytes("v1.json")
      let cast = try Shared.converter.convert(legacy, into: emission)
      let server = try JSONSerialization.jsonObject(with: Data(cast.json.utf8))
      var members = server as? [String: Any] ?? [:]
      members["migration"] = nil
      return (try JSONSerialization.jsonObject(with: Data(legacy)), members)
    }
  }

  static let forms = [
    Form(fixture: "notifications/every-key", emission: .notification, unit: .notification),
    Form(fixture: "notifications/did-renew", emission: .notification, unit: .notification, isSigned: true),
    Form(fixture: "pairs/offer-both-ids", emission: .notification, unit: .notification),
    Form(fixture: "pairs/offer-of-next-renewal-both-ids", emission: .notification, unit: .notification),
    Form(fixture: "pairs/offer-win-back-as-promotional", emission: .notification, unit: .notification),
    Form(fixture: "pairs/history-cancelled-at-purchase-missing-in-v2", emission: .history, unit: .transaction),
    Form(fixture: "pairs/history-refund-of-upgraded-period", emission: .history, unit: .transaction),
    Form(fixture: "pairs/statuses-active", emission: .history, unit: .transaction),
    Form(fixture: "pairs/statuses-active", emission: .history, unit: .transaction, isSigned: true),
    Form(fixture: "pairs/statuses-active", emission: .statuses, unit: .subscription),
    Form(fixture: "pairs/statuses-active", emission: .statuses, unit: .subscription, isSigned: true),
  ]

  @Test(arguments: forms)
  func aFieldThatV2LacksOrChangesHasTheSameClass(_ form: Form) throws {
    let images = AnswerImages()
    let (legacy, server) = try form.pair()
    let bytes = try Self.data(legacy)
    try expectSame(bytes, server, form, "unchanged", images)
    for place in Self.leaves(server) where !Self.isKey(place, form) {
      try expectSame(bytes, Self.replaced(server, place[...], nil), form, "\(place) removed", images)
      guard let value = Self.other(Self.value(server, place[...])) else { continue }
      try expectSame(bytes, Self.replaced(server, place[...], value), form, "\(place) changed", images)
    }
  }

  @Test(arguments: forms.filter { !$0.isSigned })
  func aFieldThatV1LacksOrChangesHasTheSameClass(_ form: Form) throws {
    let images = AnswerImages()
    let (legacy, server) = try form.pair()
    for place in Self.leaves(legacy) where !Self.isKey(place, form) {
      let removed = try Self.data(Self.replaced(legacy, place[...], nil))
      try expectSame(removed, server, form, "\(place) removed", images)
      guard let value = Self.other(Self.value(legacy, place[...])) else { continue }
      let changed = try Self.data(Self.replaced(legacy, place[...], value))
      try expectSame(changed, server, form, "\(place) changed", images)
    }
  }

  /// The fields of an answer around its items.
  @Test(arguments: [
    Form(fixture: "pairs/statuses-active", emission: .history, unit: .transaction),
    Form(fixture: "pairs/statuses-active", emission: .statuses, unit: .subscription),
  ])
  func parityComparesWhatSurroundsTheItems(_ form: Form) throws {
    let (legacy, server) = try form.pair()
    for (name, value) in [("environment", "Sandbox"), ("bundleId", "elsewhere")] {
      let changed = Self.replaced(server, [name][...], value)
      let classes = try AnswerImages().classes(Self.data(legacy), Self.data(changed), form.unit)
      #expect(classes[name] == .conflict, "\(name)")
    }
    guard form.unit == .subscription else { return }
    let group = ["data", "0", "subscriptionGroupIdentifier"]
    let item = ["data", "0", "lastTransactions", "0", "originalTransactionId"]
    for (place, path) in [
      (group, "data[*].subscriptionGroupIdentifier"), (item, "data[*].lastTransactions[*].originalTransactionId"),
    ] {
      let changed = Self.replaced(server, place[...], "999")
      let classes = try AnswerImages().classes(Self.data(legacy), Self.data(changed), form.unit)
      #expect(classes[path] == .conflict, "\(path)")
    }
  }

  /// `parity` counts all places of a list as one path, under the most serious class.
  @Test(arguments: [[5, 2], [1, 5], [5, 5]])
  func onePlaceOfAListInConflictIsAConflict(_ prices: [Int]) throws {
    func record(_ prices: [Int]) -> [UInt8] {
      let tiers = prices.map { "{\"price\":\($0)}" }.joined(separator: ",")
      return Array(
        #"{"notificationType":"TEST","data":{"transactionInfo":{"multiSeatInfo":{"priceTiers":[\#(tiers)]}}}}"#.utf8)
    }
    let classes = try AnswerImages().classes(record([1, 2]), record(prices), .notification)
    #expect(classes["data.transactionInfo.multiSeatInfo.priceTiers[*].price"] == .conflict)
  }

  private func expectSame(
    _ legacy: [UInt8], _ server: Any, _ form: Form, _ what: String, _ images: AnswerImages
  ) throws {
    let record = try Self.data(form.isSigned ? Self.signed(server, form) : server)
    guard let comparison = try? Shared.comparer.compare(legacy: legacy, server: record) else { return }
    // Objects that belong to no pair are not part of any.
    let rows = comparison.fields.filter { $0.differenceClass.isCompared || $0.v1 != .several }
    let spelled = Dictionary(rows.map { ($0.path.withoutPlaces, $0.differenceClass) }, uniquingKeysWith: min)
    let counted = try images.classes(legacy, record, form.unit).filter { path, differenceClass in
      differenceClass.isCompared || spelled[path] != nil
    }
    let odd = Set(spelled.keys).union(counted.keys).filter { spelled[$0] != counted[$0] }.sorted()
    let words = odd.map { path in
      "\(path): \(spelled[path]?.rawValue ?? "none") in diff, \(counted[path]?.rawValue ?? "none") in parity"
    }
    #expect(odd.isEmpty, "\(what): \(words)")
  }

  // MARK: documents

  private static func data(_ value: Any) throws -> [UInt8] {
    Array(try JSONSerialization.data(withJSONObject: value, options: .sortedKeys))
  }

  /// Values by which items and events are found: without them no pair is found.
  private static func isKey(_ place: [String], _ form: Form) -> Bool {
    let name = place.last ?? ""
    let isItem = place.dropLast().last.flatMap { Int($0) } != nil && place.contains("lastTransactions")
    if form.unit == .notification { return ["notificationType", "notification_type", "subtype"].contains(name) }
    return !isItem
      && [
        "transactionId", "originalTransactionId", "webOrderLineItemId", "transaction_id", "original_transaction_id",
        "web_order_line_item_id", "status",
      ].contains(name)
  }

  /// The steps to every value that is not a container.
  private static func leaves(_ value: Any) -> [[String]] {
    if let object = value as? [String: Any] {
      return object.keys.sorted().flatMap { key in leaves(object[key] ?? 0).map { [key] + $0 } }
    }
    if let list = value as? [Any] {
      return list.enumerated().flatMap { place, item in leaves(item).map { ["\(place)"] + $0 } }
    }
    return [[]]
  }

  private static func value(_ root: Any, _ steps: ArraySlice<String>) -> Any? {
    guard let step = steps.first else { return root }
    if let list = root as? [Any] { return Int(step).flatMap { value(list[$0], steps.dropFirst()) } }
    return (root as? [String: Any])?[step].flatMap { value($0, steps.dropFirst()) }
  }

  private static func replaced(_ root: Any, _ steps: ArraySlice<String>, _ new: Any?) -> Any {
    guard let step = steps.first else { return new ?? root }
    if var list = root as? [Any], let place = Int(step) {
      list[place] = replaced(list[place], steps.dropFirst(), new)
      return list
    }
    var object = root as? [String: Any] ?? [:]
    object[step] = steps.count == 1 ? new : object[step].map { replaced($0, steps.dropFirst(), new) }
    return object
  }

  private static func other(_ value: Any?) -> Any? {
    switch value {
    case let text as String:
      if text == "true" || text == "false" { return text == "true" ? "false" : "true" }
      if let number = Int64(text) { return "\(number < 2 ? 1 - number : number + 1)" }
      return text.contains(" Etc/") || text.contains(" America/") ? nil : text + "x"
    case let number as NSNumber:
      if number.objCType.pointee == CChar(UInt8(ascii: "c")) { return !number.boolValue }
      return number.int64Value + 1
    default: return nil
    }
  }

  // MARK: signed forms

  /// The same record with its parts as signed payloads; nothing verifies them here.
  private static func signed(_ server: Any, _ form: Form) throws -> Any {
    var object = server as? [String: Any] ?? [:]
    switch form.unit {
    case .notification:
      object["data"] = try (object["data"] as? [String: Any]).map(signedParts)
      return ["signedPayload": try token(object)]
    case .transaction:
      object["signedTransactions"] = try (object["transactions"] as? [Any] ?? []).map(token)
      object["transactions"] = nil
    case .subscription:
      object["data"] = try (object["data"] as? [[String: Any]] ?? []).map { group in
        var group = group
        group["lastTransactions"] = try (group["lastTransactions"] as? [[String: Any]] ?? []).map(signedParts)
        return group
      }
    }
    return object
  }

  private static func signedParts(_ object: [String: Any]) throws -> [String: Any] {
    var object = object
    for (plain, signed) in [("transactionInfo", "signedTransactionInfo"), ("renewalInfo", "signedRenewalInfo")] {
      guard let part = object.removeValue(forKey: plain) else { continue }
      object[signed] = try token(part)
    }
    return object
  }

  private static func token(_ payload: Any) throws -> String {
    let parts = [Array(#"{"alg":"ES256"}"#.utf8), try data(payload), [1, 2, 3]]
    return parts.map { part in
      Data(part).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }.joined(separator: ".")
  }
}
