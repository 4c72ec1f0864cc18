package import SlipcastWire

/// The objects of which converted records consist, and by which V2 records are compared.
package enum ObjectPart: UInt8, CaseIterable, Sendable {
  case notification, data, transaction, renewal
  /// What surrounds the items of answers: the answer itself, a subscription group, an item's own members.
  case history, statuses, group, item
  /// What a receipt says of the app itself.
  case appTransaction

  package var schema: ObjectSchema { Self.schemas[Int(rawValue)] }

  private static let schemas = {
    let schemas = [
      ObjectSchema(ResponseBodyV2DecodedPayload.self), ObjectSchema(NotificationData.self),
      ObjectSchema(JWSTransactionDecodedPayload.self), ObjectSchema(JWSRenewalInfoDecodedPayload.self),
      ObjectSchema(HistoryResponse.self), ObjectSchema(StatusResponse.self),
      ObjectSchema(SubscriptionGroupIdentifierItem.self), ObjectSchema(LastTransactionsItem.self),
      ObjectSchema(AppTransaction.self),
    ]
    precondition(schemas.allSatisfy { $0.fields.count <= mostFields }, "the last bits of an object belong to no field")
    return schemas
  }()

  // MARK: fields by number

  /// The members of an object are bits of one number; those from this one on belong to no member.
  package static let mostFields = 61

  /// The number of a member among those of all objects.
  package func number(of slot: Int) -> Int { Int(rawValue) << 6 | slot }

  package func number(of name: String) -> Int? { schema.slot(name).map(number) }

  /// The object and the member of a number.
  package static func field(_ number: Int) -> (part: ObjectPart, name: String) {
    let part = allCases[number >> 6]
    return (part, part.schema.fields[number & 63].name)
  }

  // MARK: objects inside objects

  /// The object that a member leads to.
  package func child(_ slot: Int) -> ObjectPart? { Self.children[Int(rawValue)][slot] }

  private static let children = allCases.map { part in
    part.schema.fields.map { field -> ObjectPart? in
      switch field.kind {
      case .object(let name), .objects(let name): allCases.first { $0.schema.name == name }
      default: nil
      }
    }
  }

  /// What precedes the names of its members inside another object, with `[*]` for places of lists; `nil` where that does
  /// not contain it.
  package func path(in root: ObjectPart) -> String? { Self.paths[Int(root.rawValue)][Int(rawValue)] }

  /// The same inside a notification, or else inside an answer.
  package var path: String { Self.ownPaths[Int(rawValue)] }

  /// The path of a member by its number; empty for a number without a member.
  package static func path(of number: Int) -> String {
    let part = allCases[number >> 6]
    return number & 63 < part.schema.fields.count ? part.path + part.schema.fields[number & 63].name : ""
  }

  private static let ownPaths = allCases.map { part in
    [ObjectPart.notification, .history, .statuses, .appTransaction].lazy.compactMap { part.path(in: $0) }.first ?? ""
  }

  private static let paths = allCases.map { root in
    var paths = [String?](repeating: nil, count: allCases.count)
    func add(_ part: ObjectPart, _ path: String) {
      paths[Int(part.rawValue)] = path
      for (field, child) in zip(part.schema.fields, children[Int(part.rawValue)]) {
        guard let child else { continue }
        let place = if case .objects = field.kind { "[*]" } else { "" }
        add(child, path + field.name + place + ".")
      }
    }
    add(root, "")
    return paths
  }
}
