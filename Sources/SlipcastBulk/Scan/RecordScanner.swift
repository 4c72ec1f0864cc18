package import SlipcastMapping
@_spi(Slipcast) internal import SlipcastV2
@_spi(Slipcast) package import SlipcastWire

/// Receives the records of an archive one by one, as they are read; one scanner per worker.
package protocol RecordScanner: AnyObject, SendableMetatype {
  /// The keys that tapes of V2 records must number.
  static var keys: [String] { get }
  /// Forgets the block before.
  ///
  /// - Returns: the number of records of the next block, where none of them is wanted; else `nil`.
  func begin() -> Int?
  /// Whether an object, on a tape with those keys, is a V2 record.
  func isServer(_ tape: JSONTape, _ root: Int) -> Bool
  /// Notes the id of the row of the record that comes next; `nil` where it has none.
  func note(id: String?)
  /// Whether the scanner wants `note(signed:)`.
  static var wantsSigned: Bool { get }
  /// Notes the token or the receipt that the record that comes next was decoded from, unverified; `nil` for other records.
  func note(signed text: [UInt8]?)
  /// Scans a V2 record.
  ///
  /// - Parameter record: its number, counted from the block's start.
  func take(server tape: JSONTape, _ root: Int, record: Int, receivedAt: Int64?) throws(ScanFault)
  /// Scans a legacy record that the converter has prepared and not yet converted.
  func take(legacy converter: Converter, record: Int) throws(ScanFault)
}

extension RecordScanner {
  package static var keys: [String] { [] }

  package static var wantsSigned: Bool { false }

  package func note(id: String?) {}

  package func note(signed text: [UInt8]?) {}

  package func isServer(_ tape: JSONTape, _ root: Int) -> Bool {
    switch V2Form(tape, root) {
    case .legacy, nil: false
    default: true
    }
  }
}

/// Why a scanner cannot use a record.
package struct ScanFault: Error, Sendable {
  /// One word for programs.
  package var code: String
  /// The value at fault; empty for the record itself.
  package var path: String
  /// Bytes after the record's start.
  package var offset: Int
  /// What was expected and found; never a value of the record.
  package var message: String

  package init(code: String, path: String = "", offset: Int = 0, message: String) {
    (self.code, self.path, self.offset, self.message) = (code, path, offset, message)
  }
}
