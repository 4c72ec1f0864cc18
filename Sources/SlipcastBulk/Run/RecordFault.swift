@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastMapping
internal import SlipcastReceipts
internal import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastWire

/// Why a record cannot be processed.
struct RecordFault: Error {
  var stage: Reject.Stage
  var code: String
  /// The value at fault; empty for the record itself.
  var path = ""
  /// Bytes after the record's start.
  var offset = 0
  var message: String
}

extension RecordFault {
  init(_ error: JSONError) {
    self.init(
      stage: .json, code: error.code, path: error.path.knownNames, offset: error.offset, message: error.message)
  }

  /// - Parameter text: may be meant as a receipt, which another fault than that of JSON explains.
  init(_ error: JSONError, in text: JSONText) {
    self.init(error)
    // Most text is not copied: it begins unlike a receipt.
    guard let first = text.buffer.first, "03\\M".utf8.contains(first), code != "recordTooLarge",
      let refusal = ReceiptLikeness(Array(text.buffer))?.refusal
    else { return }
    self.init(stage: .row, code: refusal.reason.rawValue, message: refusal.description)
  }

  init(_ error: SigningError, at offset: Int = 0) {
    self.init(
      stage: .sign, code: error.code, path: error.path.description, offset: offset, message: error.message)
  }

  /// - Parameter rows: finds the record inside its row.
  init(_ error: any Error, in rows: RowReader) {
    func offset(_ inside: Int) -> Int { rows.outerOffset ?? inside }
    switch error {
    case let fault as RecordFault: self = fault
    case let error as JSONError: self.init(error)
    case let error as SigningError: self.init(error)
    case let error as LegacyError:
      self.init(
        stage: .legacy, code: error.code, path: rows.path(error.path.description), offset: offset(error.offset),
        message: error.message)
    case let error as ConversionError:
      self.init(
        stage: .cast, code: error.code, path: error.path.description, offset: offset(error.offset),
        message: error.message)
    case let error as ScanFault:
      self.init(
        stage: .cast, code: error.code, path: rows.path(error.path), offset: offset(error.offset),
        message: error.message)
    default: self.init(stage: .cast, code: "unexpected", message: "\(error)")
    }
  }
}
