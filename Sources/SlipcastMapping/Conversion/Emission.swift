@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) public import SlipcastWire

/// What a legacy record is cast into.
public enum Emission: String, CaseIterable, Hashable, Sendable {
  /// A notification becomes a notification, a receipt a history.
  case auto
  /// A decoded notification.
  case notification
  /// All transactions of the record.
  case history
  /// The status of every subscription of the record.
  case statuses
  /// What a receipt says of the app itself.
  case appTransaction = "app-transaction"
}

/// Why a record that was read cannot become what was asked for.
public struct ConversionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// An answer with a status that carries no receipt data; the meaning comes from the rules.
    case statusNotConvertible(Int64, meaning: String)
    /// A verifyReceipt response is not an event.
    case noEvent
    /// Only a receipt says something of the app.
    case noAppReceipt
  }

  /// What is wrong.
  public var reason: Reason
  /// Bytes from the start of the record.
  public var offset = 0

  /// The reason as one word for programs.
  public var code: String {
    switch reason {
    case .statusNotConvertible: "statusNotConvertible"
    case .noEvent: "noEvent"
    case .noAppReceipt: "noAppReceipt"
    }
  }

  /// The value at fault; empty for the record itself.
  public var path: JSONPath {
    switch reason {
    case .statusNotConvertible: JSONPath([.key("status")])
    case .noEvent, .noAppReceipt: JSONPath()
    }
  }

  /// One line: where, what was expected, what was found.
  public var description: String { path.place(at: offset) + message }

  /// What was expected and what was found, without the place.
  package var message: String {
    switch reason {
    case .statusNotConvertible(let status, let meaning):
      "expected status 0 or 21006, found \(status), an answer without receipt data: \(meaning)"
    case .noEvent:
      "expected a notification, found a receipt or a verifyReceipt response, which is not an event; convert it to a "
        + "history or statuses"
    case .noAppReceipt:
      "expected an app receipt, or a verifyReceipt response with the member receipt: only these say something of the app"
    }
  }
}

extension Converter {
  /// Only status 0 and 21006 (valid but expired, iOS 6 style) carry data.
  func refuseErrorAnswer() throws(ConversionError) {
    guard record.form == .verifyReceipt, let status = record.integer(record.body, .status),
      status != 0,
      status != 21006
    else { return }
    let place = record.tape.start(record.rows.slot(record.body, .status))
    throw ConversionError(reason: .statusNotConvertible(status, meaning: meaning(ofStatus: status)), offset: place)
  }
}
