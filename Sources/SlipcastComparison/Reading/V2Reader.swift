internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Reads a V2 record in every form in which people have it: decoded JSON, signed payloads, answers of the server API.
struct V2Reader {
  let side: ComparisonError.Side
  private var unverified = 0
  /// Values that stand beside signed payloads without being signed themselves.
  private var unsigned = 0
  private var isInPayload = false

  init(side: ComparisonError.Side) { self.side = side }

  /// Reads a whole file.
  static func read(_ bytes: [UInt8], side: ComparisonError.Side) throws(ComparisonError) -> V2Record {
    var reader = V2Reader(side: side)
    let content = try reader.content(bytes)
    return V2Record(content: content, unverified: reader.unverified, unsigned: reader.unsigned)
  }

  private mutating func content(_ bytes: [UInt8]) throws(ComparisonError) -> V2Record.Content {
    // A large document is not looked at as a text of its own.
    if ![UInt8(ascii: "{"), UInt8(ascii: "[")].contains(bytes.first) {
      let text = String(decoding: bytes, as: UTF8.self).trimmingBlanks
      let isQuoted = text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
      if let token = CompactJWS(isQuoted ? text.dropFirst().dropLast() : text) { return try payload(token) }
    }
    return try document(bytes) { reader, root throws(ComparisonError) in try reader.content(root) }
  }

  /// What a signed payload holds.
  private mutating func payload(_ token: CompactJWS) throws(ComparisonError) -> V2Record.Content {
    try decoding(token) { reader, root throws(ComparisonError) in try reader.content(root) }
  }

  /// Reads what a signed payload holds; faults in it are marked as such.
  private mutating func decoding<Value>(
    _ token: CompactJWS, _ use: (inout V2Reader, JSONElement) throws(ComparisonError) -> Value
  ) throws(ComparisonError) -> Value {
    unverified += 1
    let wasInPayload = isInPayload
    isInPayload = true
    defer { isInPayload = wasInPayload }
    return try document(token.payload, use)
  }

  /// Hands the root of a JSON text to a function; the text lives only that long.
  private mutating func document<Value>(
    _ bytes: [UInt8], _ use: (inout V2Reader, JSONElement) throws(ComparisonError) -> Value
  ) throws(ComparisonError) -> Value {
    let text = JSONBuffer(bytes)
    let reader = JSONReader(names: [])
    let tape: JSONTape
    do throws(JSONError) {
      tape = try reader.read(text.base, count: text.count)
    } catch {
      let reason = error.reason == .trailing ? ComparisonError.Reason.severalRecords : .json(error)
      throw fault(reason, error.path, error.offset)
    }
    return try use(&self, JSONElement(tape: tape))
  }

  // MARK: forms

  private mutating func content(_ root: JSONElement) throws(ComparisonError) -> V2Record.Content {
    switch root.kind {
    case .string: throw error(root, .notSigned(found: "another text"))
    case .array: return .history(try transactions(root))
    case .object: return try object(root)
    default: throw error(root, .unknownForm(found: "a text that is neither JSON nor a signed payload"))
    }
  }

  private mutating func object(_ root: JSONElement) throws(ComparisonError) -> V2Record.Content {
    func has(_ names: String...) -> Bool { names.contains { root[$0].map { $0.kind != .null } ?? false } }
    if let signed = root["signedPayload"] {
      guard let token = signed.string.flatMap({ CompactJWS($0) }) else {
        throw error(signed, .notSigned(found: signed.kind == .string ? "another text" : signed.kind.description))
      }
      let inner = try payload(token)
      guard case .notification(var notification) = inner else { return inner }
      try addParts(root, &notification)
      return .notification(notification)
    }
    if has("notification_type", "unified_receipt", "latest_receipt_info", "receipt") {
      throw error(root, .legacyAsServer)
    }
    if has("notificationType", "notificationUUID") || root["data"]?.kind == .object {
      noteUnsigned()
      var notification = try model(root) as ResponseBodyV2DecodedPayload
      try addParts(root, &notification)
      return .notification(notification)
    }
    if has("signedTransactions", "transactions") { return .history(try history(root)) }
    if root["data"]?.kind == .array { return .statuses(try statuses(root)) }
    if has("signedTransactionInfo", "signedRenewalInfo", "transactionInfo", "renewalInfo") { return try parts(root) }
    if has("autoRenewProductId", "autoRenewStatus") {
      noteUnsigned()
      return .parts(nil, try model(root), status: nil)
    }
    if has("transactionId", "purchaseDate") {
      noteUnsigned()
      return .parts(try model(root), nil, status: nil)
    }
    throw error(root, .unknownForm(found: root.children.isEmpty ? "an empty object" : "another object"))
  }

  /// Decodes the signed parts inside `data` and those beside it.
  private mutating func addParts(
    _ root: JSONElement, _ notification: inout ResponseBodyV2DecodedPayload
  ) throws(ComparisonError) {
    var data = notification.data ?? NotificationData()
    let inside = root["data"]
    data.transactionInfo = try decoded(inside?["signedTransactionInfo"]) ?? data.transactionInfo
    data.renewalInfo = try decoded(inside?["signedRenewalInfo"]) ?? data.renewalInfo
    let beside = try sideParts(root)
    data.transactionInfo = data.transactionInfo ?? beside.transaction
    data.renewalInfo = data.renewalInfo ?? beside.renewal
    (data.signedTransactionInfo, data.signedRenewalInfo) = (nil, nil)
    if notification.data != nil || data != NotificationData() { notification.data = data }
    let names = ["signedTransactionInfo", "signedRenewalInfo", "transactionInfo", "renewalInfo"]
    notification.unrecognized.removeAll { names.contains($0.name) }
  }

  private typealias Parts = (transaction: JWSTransactionDecodedPayload?, renewal: JWSRenewalInfoDecodedPayload?)

  /// `signedTransactionInfo` and `signedRenewalInfo`, or their decoded forms, as members of an object.
  private mutating func sideParts(_ root: JSONElement) throws(ComparisonError) -> Parts {
    var parts: Parts = (nil, nil)
    if let element = root["transactionInfo"], element.kind == .object {
      noteUnsigned()
      parts.transaction = try model(element)
    }
    if let element = root["renewalInfo"], element.kind == .object {
      noteUnsigned()
      parts.renewal = try model(element)
    }
    parts.transaction = try decoded(root["signedTransactionInfo"]) ?? parts.transaction
    parts.renewal = try decoded(root["signedRenewalInfo"]) ?? parts.renewal
    return parts
  }

  private mutating func parts(_ root: JSONElement) throws(ComparisonError) -> V2Record.Content {
    let item = try model(root) as LastTransactionsItem
    let parts = try sideParts(root)
    return .parts(parts.transaction, parts.renewal, status: item.status)
  }

  private mutating func history(_ root: JSONElement) throws(ComparisonError) -> HistoryResponse {
    var history = try model(root) as HistoryResponse
    var transactions = history.transactions ?? []
    if !transactions.isEmpty { noteUnsigned() }
    for token in root["signedTransactions"]?.children ?? [] {
      if let transaction: JWSTransactionDecodedPayload = try decoded(token) { transactions.append(transaction) }
    }
    (history.transactions, history.signedTransactions) = (transactions, nil)
    return history
  }

  /// A bare array of transactions, signed or decoded.
  private mutating func transactions(_ root: JSONElement) throws(ComparisonError) -> HistoryResponse {
    var history = HistoryResponse()
    var transactions: [JWSTransactionDecodedPayload] = []
    for child in root.children {
      if child.kind == .string {
        if let transaction: JWSTransactionDecodedPayload = try decoded(child) { transactions.append(transaction) }
      } else if child.kind == .object, child["transactionId"] != nil {
        noteUnsigned()
        transactions.append(try model(child))
      } else {
        throw error(child, .unknownForm(found: "an array of something else than transactions"))
      }
    }
    history.transactions = transactions
    return history
  }

  private mutating func statuses(_ root: JSONElement) throws(ComparisonError) -> StatusResponse {
    var response = try model(root) as StatusResponse
    for (group, element) in (root["data"]?.children ?? []).enumerated() {
      for (place, child) in (element["lastTransactions"]?.children ?? []).enumerated() {
        guard var item = response.data?[group].lastTransactions?[place] else { continue }
        if item.transactionInfo != nil || item.renewalInfo != nil { noteUnsigned() }
        item.transactionInfo = try decoded(child["signedTransactionInfo"]) ?? item.transactionInfo
        item.renewalInfo = try decoded(child["signedRenewalInfo"]) ?? item.renewalInfo
        (item.signedTransactionInfo, item.signedRenewalInfo) = (nil, nil)
        response.data?[group].lastTransactions?[place] = item
      }
    }
    return response
  }

  // MARK: values

  /// Notes that a value is read which no signature covers.
  private mutating func noteUnsigned() { if !isInPayload { unsigned += 1 } }

  /// What a member with a signed payload holds; `nil` where there is none.
  private mutating func decoded<Model: FieldModel>(_ element: JSONElement?) throws(ComparisonError) -> Model? {
    guard let element, element.kind != .null else { return nil }
    guard let signed = element.string.flatMap({ CompactJWS($0) }) else {
      throw error(element, .notSigned(found: element.kind == .string ? "another text" : element.kind.description))
    }
    return try decoding(signed) { reader, root throws(ComparisonError) in try reader.model(root) }
  }

  private func model<Model: FieldModel>(_ element: JSONElement) throws(ComparisonError) -> Model {
    do throws(FieldError) {
      return try Model(element: element)
    } catch {
      throw fault(.field(error), error.path, error.offset)
    }
  }

  private func error(_ element: JSONElement, _ reason: ComparisonError.Reason) -> ComparisonError {
    fault(reason, JSONPath(tape: element.tape, index: element.index), element.tape.range(element.index).lowerBound)
  }

  private func fault(_ reason: ComparisonError.Reason, _ path: JSONPath, _ offset: Int) -> ComparisonError {
    var error = ComparisonError(side, reason, path: path, offset: offset)
    error.isInPayload = isInPayload
    return error
  }
}

extension String {
  /// Without blanks, line ends and a byte order mark at both ends.
  fileprivate var trimmingBlanks: Substring {
    let isBlank = { (scalar: Unicode.Scalar) in scalar.value <= 0x20 || scalar.value == 0xFEFF }
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !isBlank($0) }),
      let last = scalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return self[first...last]
  }
}
