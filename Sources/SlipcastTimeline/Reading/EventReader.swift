package import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Reads converted lines, one after another; a reader reuses its memory on one thread.
final class EventReader {
  private let reader = JSONReader(names: EventKey.allCases.map(\.rawValue))

  /// The facts of a line; `nil` for a text that is not a decoded V2 notification.
  func facts(of body: [UInt8]) -> EventFacts? {
    reader.parse(JSONBuffer(body)) { root in try? EventFacts(root) }
  }

  /// Passes the root of a line to a function; the tape is valid only during the call.
  func withRoot(of body: [UInt8], _ use: (JSONElement) -> Void) {
    reader.parse(JSONBuffer(body)) { use($0) }
  }
}

extension EventFacts {
  /// The members of converted lines that facts are read from.
  package static let members = MemberChoice(EventKey.allCases.map(\.rawValue))
}

/// The members of a line that grouping and timelines ask for, as Apple and `migration` spell them.
private enum EventKey: String, CaseIterable {
  case notificationType, subtype, notificationUUID, signedDate, data, migration
  case bundleId, environment, transactionInfo, renewalInfo
  case transactionId, webOrderLineItemId, productId, purchaseDate, expiresDate, revocationDate, revocationType
  case isUpgraded, inAppOwnershipType, offerType, offerIdentifier
  case offerDiscountType, billingPlanType
  case autoRenewProductId, autoRenewStatus, expirationIntent, gracePeriodExpiresDate, isInBillingRetryPeriod
  case priceIncreaseStatus
  case rule, confidence, autoRenewOnSince, absorbed, candidates, settled, narrowed, companions
}

extension JSONElement {
  /// Passes the members that are asked for to a function; null counts as absent.
  ///
  /// - Throws: `FieldError` for a missing object, and the function's errors.
  fileprivate func forEachMember(_ use: (EventKey, JSONElement) throws(FieldError) -> Void) throws(FieldError) {
    guard kind == .object else { throw wrongKind(.object("notification")) }
    for child in tape.children(of: index) where tape[child].kind != .null {
      let key = Int(tape[child].key)
      if key < EventKey.allCases.count { try use(EventKey.allCases[key], JSONElement(tape: tape, index: child)) }
    }
  }

  fileprivate func text() throws(FieldError) -> String {
    guard let anyText else { throw wrongKind(.text) }
    return anyText
  }

  fileprivate func word<Known: RawRepresentable>() throws(FieldError) -> Open<Known> where Known.RawValue == String {
    Open(rawValue: try text())
  }

  fileprivate func code<Known: RawRepresentable>() throws(FieldError) -> Open<Known> where Known.RawValue == Int32 {
    guard let code = anyInteger.flatMap(Int32.init(exactly:)) else { throw wrongKind(.integer32) }
    return Open(rawValue: code)
  }

  fileprivate func date() throws(FieldError) -> Timestamp {
    guard let time = anyMilliseconds else { throw wrongKind(.milliseconds) }
    return Timestamp(milliseconds: time)
  }

  fileprivate func flag() throws(FieldError) -> Bool {
    guard let anyBoolean else { throw wrongKind(.boolean) }
    return anyBoolean
  }
}

// Not the typed models: reading all fields takes six times as long (profile of `convert --group`, 40,000 records).
extension EventFacts {
  /// Reads the needed facts of a notification.
  ///
  /// - Throws: `FieldError` for a needed field of another kind than Apple documents.
  fileprivate init(_ line: JSONElement) throws(FieldError) {
    self.init()
    var type: String?
    var subtype: String?
    try line.forEachMember { key, value throws(FieldError) in
      switch key {
      case .notificationType: type = try value.text()
      case .subtype: subtype = try value.text()
      case .notificationUUID: notificationUUID = try value.text()
      case .signedDate: signedDate = try value.date().milliseconds
      case .data: try readData(value)
      case .migration: try readMigration(value)
      default: break
      }
    }
    reading = type.map { EventName(notificationType: $0, subtype: subtype) }
  }

  private mutating func readData(_ data: JSONElement) throws(FieldError) {
    try data.forEachMember { key, value throws(FieldError) in
      switch key {
      case .bundleId: bundleId = try value.text()
      case .environment: environment = try value.text()
      case .transactionInfo: transaction = try EventFacts.Transaction(facts: value)
      case .renewalInfo: renewal = try EventFacts.Renewal(facts: value)
      default: break
      }
    }
  }

  private mutating func readMigration(_ migration: JSONElement) throws(FieldError) {
    var hasParts = false
    try migration.forEachMember { key, value throws(FieldError) in
      switch key {
      case .rule: rule = try value.text()
      case .confidence: confidence = Confidence(rawValue: try value.text())
      case .autoRenewOnSince: autoRenewOnSince = try value.date().milliseconds
      case .absorbed, .candidates, .settled, .narrowed, .companions: hasParts = true
      default: break
      }
    }
    if hasParts { take(try Migration(element: migration)) }
  }

  private mutating func take(_ migration: Migration) {
    let settled = migration.settled ?? migration.narrowed
    // Candidates of a reading that is no longer ambiguous are only its history.
    candidates = settled == nil || confidence == .ambiguous ? migration.candidates ?? [] : []
    support = settled.map { Self.support($0, migration.settled == nil ? "narrowed" : "settled") } ?? []
    absorbedInto = migration.absorbed?.into
    isSettled = settled != nil
    told = migration.companions?.compactMap(\.notification_type) ?? []
  }

  private static func support(_ settled: MigrationSettled, _ word: String) -> [String] {
    let records = (settled.by ?? []).map { witness in
      "record \(witness.record.map(String.init) ?? "?")" + (witness.source.map { " of \($0)" } ?? "")
    }
    let facts = (settled.facts ?? []).joined(separator: ", ")
    return ["\(word) by other messages: \(facts)"] + (records.isEmpty ? [] : [records.joined(separator: ", ")])
  }
}

extension EventFacts.Transaction {
  fileprivate init(facts element: JSONElement) throws(FieldError) {
    self.init()
    try element.forEachMember { key, value throws(FieldError) in
      switch key {
      case .transactionId: transactionId = try value.text()
      case .webOrderLineItemId: webOrderLineItemId = try value.text()
      case .productId: productId = try value.text()
      case .purchaseDate: purchaseDate = try value.date()
      case .expiresDate: expiresDate = try value.date()
      case .revocationDate: revocationDate = try value.date()
      case .revocationType: revocationType = try value.word()
      case .isUpgraded: isUpgraded = try value.flag()
      case .inAppOwnershipType: inAppOwnershipType = try value.word()
      case .offerType: offerType = try value.code()
      case .offerIdentifier: offerIdentifier = try value.text()
      case .offerDiscountType: offerDiscountType = try value.word()
      case .billingPlanType: billingPlanType = try value.word()
      default: break
      }
    }
  }
}

extension EventFacts.Renewal {
  fileprivate init(facts element: JSONElement) throws(FieldError) {
    self.init()
    try element.forEachMember { key, value throws(FieldError) in
      switch key {
      case .autoRenewProductId: autoRenewProductId = try value.text()
      case .autoRenewStatus: autoRenewStatus = try value.code()
      case .expirationIntent: expirationIntent = try value.code()
      case .gracePeriodExpiresDate: gracePeriodExpiresDate = try value.date()
      case .isInBillingRetryPeriod: isInBillingRetryPeriod = try value.flag()
      case .priceIncreaseStatus: priceIncreaseStatus = try value.code()
      case .offerType: offerType = try value.code()
      case .offerIdentifier: offerIdentifier = try value.text()
      default: break
      }
    }
  }
}
