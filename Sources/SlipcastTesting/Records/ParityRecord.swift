public import Foundation
public import SlipcastMapping
public import SlipcastV2
public import SlipcastWire

/// A record as a test has it: JSON as text or bytes, a file, a cast, or a value.
///
/// Texts, bytes, `Data`, file URLs, `.file(…)` and Slipcast's V2 models are records already. Your model becomes one by
/// declaring the conformance, when it is `Encodable` and encodes to the JSON of a V2 record; dates are then written as
/// milliseconds since 1970, as Apple's server writes them:
///
///     extension RenewalEvent: ParityRecord {}
///
/// For another way of encoding implement `parityJSON`. A text is the record itself, never the path of a file.
public protocol ParityRecord {
  /// The record as JSON, or a signed payload.
  ///
  /// What it throws is shown in the test's output, so its text should contain no secret.
  var parityJSON: [UInt8] { get throws }
  /// What the test's output calls the record, such as a file's path; `nil` for none.
  var parityName: String? { get }
}

extension ParityRecord {
  /// No name.
  public var parityName: String? { nil }
}

extension ParityRecord where Self: Encodable {
  /// What `JSONEncoder` makes of the value, dates as milliseconds since 1970.
  ///
  /// - Throws: `EncodingError`, or what the value's own encoding throws.
  public var parityJSON: [UInt8] {
    get throws {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .millisecondsSince1970
      return Array(try encoder.encode(self))
    }
  }
}

extension String: ParityRecord {
  /// The text's UTF-8.
  public var parityJSON: [UInt8] { Array(utf8) }
}

extension Substring: ParityRecord {
  /// The text's UTF-8.
  public var parityJSON: [UInt8] { Array(utf8) }
}

extension Array: ParityRecord where Element == UInt8 {
  /// The bytes themselves.
  public var parityJSON: [UInt8] { self }
}

extension ArraySlice: ParityRecord where Element == UInt8 {
  /// The bytes themselves.
  public var parityJSON: [UInt8] { Array(self) }
}

extension Data: ParityRecord {
  /// The bytes themselves.
  public var parityJSON: [UInt8] { Array(self) }
}

extension Conversion: ParityRecord {
  /// What `slipcast convert` writes.
  public var parityJSON: [UInt8] { Array(json.utf8) }
}

extension ParityRecord where Self: FieldModel {
  /// The model's JSON, members in Apple's order.
  public var parityJSON: [UInt8] { Array(json.utf8) }
}

extension ResponseBodyV2DecodedPayload: ParityRecord {}
extension JWSTransactionDecodedPayload: ParityRecord {}
extension JWSRenewalInfoDecodedPayload: ParityRecord {}
extension HistoryResponse: ParityRecord {}
extension StatusResponse: ParityRecord {}
