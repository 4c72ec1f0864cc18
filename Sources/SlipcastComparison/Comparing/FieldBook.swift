package import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// What the rules know of every field of the four objects, by part and slot.
package struct FieldBook: Sendable {
  /// One field; a class, because fields are looked up for every value of every pair.
  final class Entry: Sendable {
    let path: String
    /// `nil` where no rule speaks of it.
    let knowledge: ComparedField?
    /// The field that decides whether V1 could express this one.
    let sibling: Int?
    let isEvent: Bool
    let isSubtype: Bool
    let isNeverCompared: Bool
    let isDate: Bool

    init(
      _ path: String = "", knowledge: ComparedField? = nil, sibling: Int? = nil, isSubtype: Bool = false,
      isDate: Bool = false
    ) {
      (self.path, self.knowledge, self.sibling) = (path, knowledge, sibling)
      (self.isSubtype, self.isDate) = (isSubtype, isDate)
      isEvent = knowledge?.way == .event
      isNeverCompared = knowledge?.isNeverCompared ?? false
    }
  }

  let entries: [Entry]
  /// By part the fields for which V1 may name two values, as bits.
  let openFields: [UInt64]
  /// What the rules know of members of objects inside these objects, by path with `[*]` for places of lists.
  private let inner: [String: ComparedField]
  /// Members whose own members have rules, by part and slot.
  private let containers: Set<Int>

  package init(_ rules: RuleSet) {
    var numbers: [String: Int] = [:]
    for (number, rule) in rules.fields.enumerated() { numbers[rule.id] = number }
    entries = (0..<EventPart.fieldCount).map { index in
      let part = ObjectPart.allCases[index >> 6]
      guard index & 63 < part.schema.fields.count else { return Entry() }
      let field = part.schema.fields[index & 63]
      let known = rules.field(family: part.rules.family, to: part.rules.under + field.name)
        .map { ComparedField($0, rules, number: numbers[$0.id] ?? -1) }
      return Entry(
        part.path + field.name, knowledge: known, sibling: known?.rule.comparing.follows.flatMap(part.number(of:)),
        isSubtype: index == FieldNumber.subtype, isDate: field.kind == .milliseconds)
    }
    let made = entries
    openFields = ObjectPart.allCases.map { part in
      part.schema.fields.indices.reduce(UInt64(0)) { bits, slot in
        let isOpen = made[part.number(of: slot)].knowledge?.mayBeOpen ?? false
        return isOpen ? bits | 1 << UInt64(slot) : bits
      }
    }
    var (inner, containers) = ([String: ComparedField](), Set<Int>())
    for part in ObjectPart.allCases {
      for (slot, field) in part.schema.fields.enumerated() where field.traits.hasRulesInside {
        containers.insert(part.number(of: slot))
        let container = part.rules.under + field.name + "."
        for rule in rules.fields where rule.family == part.rules.family && rule.to?.hasPrefix(container) == true {
          let path = part.path + RuleName(family: part.rules.family, to: rule.to ?? "").pathOfLists
          inner[path] = ComparedField(rule, rules, number: numbers[rule.id] ?? -1)
        }
      }
    }
    (self.inner, self.containers) = (inner, containers)
  }

  /// What the rules know of a value without a slot; `nil` for one that they do not name.
  func knowledge(of extra: EventShape.Extra) -> ComparedField? {
    if let known = inner[extra.name] { return known }
    guard let owner = extra.owner, !containers.contains(owner) || entries[owner].path == extra.name else { return nil }
    return entries[owner].knowledge
  }
}

/// The numbers of the fields, by part and slot, that judging a record as a whole needs.
enum FieldNumber {
  static let expiresDate = number(.transaction, "expiresDate")
  static let renewalDate = number(.renewal, "renewalDate")
  static let gracePeriodExpiresDate = number(.renewal, "gracePeriodExpiresDate")
  static let webOrderLineItemId = number(.transaction, "webOrderLineItemId")
  static let signedDate = number(.notification, "signedDate")
  static let transactionSignedDate = number(.transaction, "signedDate")
  static let renewalSignedDate = number(.renewal, "signedDate")
  static let notificationType = number(.notification, "notificationType")
  static let subtype = number(.notification, "subtype")
  static let notificationUUID = number(.notification, "notificationUUID")
  static let transactionId = number(.transaction, "transactionId")
  static let originalTransactionId = number(.transaction, "originalTransactionId")
  static let renewalOriginalTransactionId = number(.renewal, "originalTransactionId")
  static let productId = number(.transaction, "productId")
  static let purchaseDate = number(.transaction, "purchaseDate")
  static let isUpgraded = number(.transaction, "isUpgraded")
  static let inAppOwnershipType = number(.transaction, "inAppOwnershipType")
  static let revocationDate = number(.transaction, "revocationDate")
  static let revocationReason = number(.transaction, "revocationReason")
  static let type = number(.transaction, "type")
  static let autoRenewProductId = number(.renewal, "autoRenewProductId")
  static let autoRenewStatus = number(.renewal, "autoRenewStatus")
  static let priceIncreaseStatus = number(.renewal, "priceIncreaseStatus")
  static let expirationIntent = number(.renewal, "expirationIntent")
  static let isInBillingRetryPeriod = number(.renewal, "isInBillingRetryPeriod")
  static let environment = number(.data, "environment")
  static let bundleId = number(.data, "bundleId")
  static let bundleIdOfTransaction = number(.transaction, "bundleId")
  static let status = number(.data, "status")
  static let statusOfItem = number(.item, "status")
  static let originalTransactionIdOfItem = number(.item, "originalTransactionId")
  static let revocationType = number(.transaction, "revocationType")
  static let additionalTransactionReason = number(.transaction, "additionalTransactionReason")
  static let previousOriginalTransactionId = number(.transaction, "previousOriginalTransactionId")
  static let hasMore = number(.history, "hasMore")
  static let originalPurchaseDate = number(.transaction, "originalPurchaseDate")
  /// What a refund or revocation writes.
  static let ofRevocation = [
    revocationDate, revocationReason, number(.transaction, "revocationPercentage"), revocationType, status,
    statusOfItem,
  ]
  static let endsOfAccess = [expiresDate, renewalDate, gracePeriodExpiresDate, revocationDate]

  private static func number(_ part: ObjectPart, _ name: String) -> Int {
    guard let number = part.number(of: name) else { fatalError("V2 has no field \(name)") }
    return number
  }
}

extension RuleName {
  /// The name with `[*]` behind every member that is a list of objects: `multiSeatInfo.priceTiers[*].price`.
  fileprivate var pathOfLists: String {
    var (path, name) = ("", "")
    for part in to.split(separator: ".") {
      name += (name.isEmpty ? "" : ".") + part
      path += (path.isEmpty ? "" : ".") + part
      if case .objects = RuleSet.kind(family: family, to: name) { path += "[*]" }
    }
    return path
  }
}
