internal import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastWire

struct SignedPlaces {
  struct Place {
    /// The entry of its text on the tape.
    var index: Int
    /// The kind according to its path; `nil` for a receipt of either kind.
    var kind: SignedKind?
  }

  enum Name: UInt16, CaseIterable {
    case signedPayload, signedTransactionInfo, signedRenewalInfo, signedAppTransactionInfo, signedTransactions
    case latest_receipt, latest_expired_receipt, receiptData, Payload, Store

    static let names = allCases.map { $0 == .receiptData ? "receipt-data" : "\($0)" }

    var kind: SignedKind? {
      switch self {
      case .signedPayload: .notification
      case .signedTransactionInfo, .signedTransactions: .transaction
      case .signedRenewalInfo: .renewalInfo
      case .signedAppTransactionInfo: .appTransaction
      case .latest_receipt, .latest_expired_receipt, .receiptData, .Payload, .Store: nil
      }
    }
  }

  /// The signed values on a tape made by a reader that knows `Name.names`, in the order of the text.
  static func all(on tape: JSONTape) -> [Place] {
    var places: [Place] = []
    var index = 1
    while index < tape.count {
      let entry = tape[index]
      if let name = Name(rawValue: entry.key), entry.kind != .null, name != .Store {
        add(name, tape, index, to: &places)
      }
      index += 1
    }
    // The envelope of an engine: its other members contain nothing signed.
    let isEnvelope = tape[0].kind == .object && JSONElement(tape: tape)["Store"] != nil
    if !isEnvelope { places.removeAll { tape[$0.index].key == Name.Payload.rawValue } }
    guard let row = rowReceipt(on: tape) else { return places }
    places.insert(row, at: places.firstIndex { $0.index > row.index } ?? places.endIndex)
    return places
  }

  /// A wrapped row, with the receipt in a string; Apple's `receipt` is an object, and not signed.
  private static func rowReceipt(on tape: JSONTape) -> Place? {
    guard tape[0].kind == .object, let receipt = JSONElement(tape: tape)["receipt"], receipt.kind == .string else {
      return nil
    }
    return Place(index: receipt.index, kind: nil)
  }

  private static func add(_ name: Name, _ tape: JSONTape, _ index: Int, to places: inout [Place]) {
    guard name == .signedTransactions, tape[index].kind == .array else {
      // A member of that name with an object or a number is not signed, but the user's own.
      if tape[index].kind == .string { places.append(Place(index: index, kind: name.kind)) }
      return
    }
    for child in tape.children(of: index) where tape[child].kind == .string {
      places.append(Place(index: child, kind: name.kind))
    }
  }
}
