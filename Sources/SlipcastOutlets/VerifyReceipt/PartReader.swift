internal import SlipcastSignatures
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Finds the transactions and renewal infos in a V2 record of any form, and verifies those that are signed.
struct PartReader {
  /// `nil`: signatures were verified before.
  let verifier: JWSVerifier?
  private(set) var parts: [V2Part] = []
  private let origin: String
  private let isConverted: Bool
  /// The members that a conversion concluded, by the path of their object.
  private let inferred: [String: Set<String>]
  private let recordDate: Int64?

  private static let deepest = 8
  /// What an object is by the name under which it stands.
  private static let kinds: [String: V2Part.Kind] = [
    "transactionInfo": .transaction, "signedTransactionInfo": .transaction, "transactions": .transaction,
    "signedTransactions": .transaction, "renewalInfo": .renewal, "signedRenewalInfo": .renewal,
    "appTransactionInfo": .appTransaction, "signedAppTransactionInfo": .appTransaction,
  ]

  /// The parts of a record.
  ///
  /// - Parameters:
  ///   - origin: where the record is, for people.
  ///   - verifier: verifies what is signed; `nil` where that was done before.
  ///   - receivedAt: when it was received, where that is known.
  /// - Throws: `Refusal` for a signed part that is not trusted.
  static func parts(
    of record: JSONElement, from origin: String, verifier: JWSVerifier?, receivedAt: Int64? = nil
  ) throws(Refusal) -> [V2Part] {
    var reader = PartReader(record, origin, verifier, receivedAt)
    try reader.walk(record, at: "", as: nil, depth: 0)
    return reader.shared(with: record)
  }

  private init(_ record: JSONElement, _ origin: String, _ verifier: JWSVerifier?, _ receivedAt: Int64?) {
    (self.origin, self.verifier) = (origin, verifier)
    let migration = record["migration"]
    isConverted = migration != nil
    inferred = Self.inferred(migration?["inferred"]?.children.compactMap(\.string) ?? [])
    recordDate = record["signedDate"]?.milliseconds ?? receivedAt
  }

  private static func inferred(_ paths: [String]) -> [String: Set<String>] {
    var members: [String: Set<String>] = [:]
    for path in paths {
      let dot = path.lastIndex(of: ".")
      let name = dot.map { path[path.index(after: $0)...] } ?? path[...]
      members[dot.map { String(path[..<$0]) } ?? "", default: []].insert(String(name))
    }
    return members
  }

  private mutating func walk(
    _ element: JSONElement, at path: String, as kind: V2Part.Kind?, depth: Int
  ) throws(Refusal) {
    guard element.kind == .object, depth < Self.deepest else { return }
    if let kind = kind ?? Self.kind(of: element) { return add(element, kind, path) }
    for child in element.children {
      let name = child.name
      let inner = path.isEmpty ? name : "\(path).\(name)"
      switch child.kind {
      case .string where ModelCatalog.decodedNames[name] != nil:
        try open(child, at: inner, as: Self.kinds[name], depth: depth)
      case .array:
        for (place, item) in child.children.enumerated() {
          if item.kind == .string, name == "signedTransactions" {
            try open(item, at: "\(inner)[\(place)]", as: .transaction, depth: depth)
          } else {
            try walk(item, at: "\(inner)[\(place)]", as: Self.kinds[name], depth: depth + 1)
          }
        }
      case .object where name != "migration" && name != "slipcast":
        try walk(child, at: inner, as: Self.kinds[name], depth: depth + 1)
      default: break
      }
    }
  }

  private static func kind(of element: JSONElement) -> V2Part.Kind? {
    switch V2Form(element) {
    case .transaction: .transaction
    case .renewalInfo: .renewal
    case .appTransaction: .appTransaction
    default: nil
    }
  }

  /// The content of a signed text.
  private mutating func open(
    _ element: JSONElement, at path: String, as kind: V2Part.Kind?, depth: Int
  ) throws(Refusal) {
    let text = element.tape.text(element.index)
    guard let payload = CompactJWS(text.buffer.span)?.payload else { return }
    if let verifier, let refusal = verifier.verify(text.buffer.span).refusal {
      throw Refusal(refusal.reason, refusal.detail, path: path)
    }
    // The outer token was verified with everything signed inside it.
    var inner = PartReader(self, verifier: nil)
    let read: Void? = try JSONReader(names: []).parse(JSONBuffer(payload)) { (root) throws(Refusal) in
      try inner.walk(root, at: path, as: kind, depth: depth + 1)
    }
    guard read != nil else { throw Refusal(.payloadUnreadable, path: path) }
    parts += inner.parts
  }

  private init(_ outer: PartReader, verifier: JWSVerifier?) {
    (origin, isConverted, inferred) = (outer.origin, outer.isConverted, outer.inferred)
    (recordDate, self.verifier) = (outer.recordDate, verifier)
  }

  private mutating func add(_ element: JSONElement, _ kind: V2Part.Kind, _ path: String) {
    let place = path.isEmpty ? "" : " \(path)"
    var part = V2Part(kind: kind, values: [:], isConverted: isConverted, origin: origin + place)
    for child in element.children { part.values[child.name] = V2Value(child) }
    part.inferred = inferred[path] ?? []
    part.signedDate = part.integer("signedDate") ?? part.integer("receiptCreationDate") ?? recordDate
    part.environment = part.text("environment") ?? part.text("receiptType")
    part.bundleId = part.text("bundleId")
    parts.append(part)
  }

  /// The parts, with the environment and the app that the record states for all of them.
  private func shared(with record: JSONElement) -> [V2Part] {
    let data = record["data"].flatMap { $0.kind == .object ? $0 : nil }
    let environment = record["environment"]?.string ?? data?["environment"]?.string
    let known = parts.lazy.compactMap(\.bundleId).first
    let bundleId = record["bundleId"]?.string ?? data?["bundleId"]?.string ?? known
    return parts.map { part in
      var part = part
      part.environment = part.environment ?? environment
      part.bundleId = part.bundleId ?? bundleId
      return part
    }
  }
}
