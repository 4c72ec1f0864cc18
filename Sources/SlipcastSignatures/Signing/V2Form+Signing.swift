internal import SlipcastV2
internal import SlipcastWire

extension V2Form {
  /// The form of a record that can be signed.
  ///
  /// - Throws: `SigningError` for what is signed already, legacy, or nothing that is known.
  static func signable(_ record: JSONElement) throws(SigningError) -> V2Form {
    guard record.kind == .object else {
      throw SigningError(.unknownForm(found: "a JSON value of the kind \(record.kind)"), at: record)
    }
    let members = record.children.filter { $0.kind != .null }
    if let signed = members.first(where: { signedNames.contains($0.name) }) {
      throw SigningError(.alreadySigned, at: signed)
    }
    switch V2Form(record) {
    case .legacy: throw SigningError(.legacy, at: record)
    case nil:
      let found = ForeignEnvelope(record.tape, record.index)?.words ?? "another object"
      throw SigningError(.unknownForm(found: members.isEmpty ? "an empty object" : found), at: record)
    case let form?: return form
    }
  }

  /// Members that hold something signed.
  static let signedNames = Set(ModelCatalog.decodedNames.keys).union(["notificationHistory"])
}
