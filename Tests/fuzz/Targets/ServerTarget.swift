@_spi(Slipcast) import SlipcastV2
@_spi(Slipcast) import SlipcastWire

extension FuzzTarget {
  /// The typed models of version 2.
  static let server = FuzzTarget(
    name: "server",
    summary: "what a V2 model reads it writes, and what it wrote reads as the same value and writes the same text",
    seeds: { try Seeds.files(["notifications", "receipts", "pairs"], named: ["v2.json"], most: 80) },
    words: ServerWords.names,
    make: {
      { bytes in
        let text = Array(bytes)
        try roundTrip(ResponseBodyV2DecodedPayload.self, text)
        try roundTrip(HistoryResponse.self, text)
        try roundTrip(StatusResponse.self, text)
        try roundTrip(JWSTransactionDecodedPayload.self, text)
        try roundTrip(JWSRenewalInfoDecodedPayload.self, text)
        try roundTrip(AppTransaction.self, text)
        try roundTrip(ResponseBodyV2.self, text)
      }
    })

  private static func roundTrip<Model: FieldModel & Equatable>(_ type: Model.Type, _ text: [UInt8]) throws {
    guard let value = try? Model(json: text) else { return }
    let written = value.json
    guard let again = try? Model(json: written) else { throw Violation("\(type) does not read what it wrote") }
    guard again == value else { throw Violation("\(type) reads another value than it wrote") }
    guard again.json.utf8.elementsEqual(written.utf8) else {
      throw Violation("\(type) writes the same value in two ways")
    }
  }
}

/// The keys of V2's models.
enum ServerWords {
  static let names: [String] = [
    keys(ResponseBodyV2DecodedPayload.self), keys(NotificationData.self), keys(JWSTransactionDecodedPayload.self),
    keys(JWSRenewalInfoDecodedPayload.self), keys(AppTransaction.self), keys(Summary.self), keys(Migration.self),
  ].flatMap { $0 }

  private static func keys<Model: FieldModel>(_ type: Model.Type) -> [String] { Model.fields.map(\.name) }
}
