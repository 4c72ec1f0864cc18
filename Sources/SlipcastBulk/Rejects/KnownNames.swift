@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// The names of members that this program reads: Apple's V1 keys and V2 fields, and what converted lines add.
///
/// A reject keeps values under these names only. The shared secret is not among them, and no other name can carry it
/// into a reject.
enum KnownNames {
  static func contains(_ name: String) -> Bool { all.contains(name) }

  /// The values under a name are objects or lists: a text there is JSON, a receipt or a token, or was not read.
  static func holdsObjects(_ name: String) -> Bool { containers.contains(name) }

  static let all = Set(LegacyKey.names + v2 + envelopes + ["Store", "TransactionID"]).subtracting([
    LegacyKey.password.name
  ])

  private static let containers = Set(
    LegacyScope.allCases.flatMap(\.fields).filter { [.object, .objects].contains($0.kind) }.map(\.key.name)
      + (ModelCatalog.models + ModelCatalog.ownModels).flatMap(\.fields).filter { !$0.kind.isScalar }.map(\.name)
      + envelopes)

  private static let v2 = (ModelCatalog.models + ModelCatalog.ownModels).flatMap { $0.fields.map(\.name) }

  /// What holds a record: of requests to `verifyReceipt`, of Unity's receipts, and of decoded records.
  private static let envelopes =
    ["receipt-data", "Payload", "slipcast", "migration"] + Set(ModelCatalog.decodedNames.values)
}

extension JSONPath {
  /// The path without unknown names: in text that was not read completely, a value may be in the place of a name.
  var knownNames: String {
    let steps = steps.map { step -> Step in
      if case .key(let name) = step, !KnownNames.contains(name), name != LegacyKey.password.name { return .key("…") }
      return step
    }
    return JSONPath(steps).description
  }
}
