public import SlipcastLegacy
public import SlipcastV2

/// What one attribute of an app receipt is, and the keys under which verifyReceipt shows it.
public struct ReceiptAttributeRule: Hashable, Sendable {
  /// How the attribute's value is written.
  public enum Encoding: String, CaseIterable, Hashable, Sendable {
    /// UTF8String; empty means absent.
    case utf8
    /// IA5String; empty means absent.
    case ia5
    /// IA5String with a date; empty means absent.
    case date
    /// INTEGER.
    case integer
    /// INTEGER, of which 0 means absent.
    case identifier
    /// INTEGER, 1 for true.
    case flag
    /// Bytes that are no ASN.1.
    case raw
    /// A set of attributes: a purchase.
    case set
  }

  /// `receipt-attributes.` and the type.
  public var id: String
  /// The attribute's type.
  public var type: Int64
  /// `receipt` for the receipt itself, `latest_receipt_info` for a purchase in it.
  public var scope: LegacyScope
  /// How its value is written.
  public var encoding: Encoding
  /// The V1 keys that hold it; none when verifyReceipt does not show it.
  public var keys: [LegacyKey]
  /// What it is, in a few words.
  public var name: String
  /// The trap.
  public var note: String?
  /// How well it is known.
  public var confidence: Confidence
  /// Keys of `sources.json`.
  public var source: String

  package var isInApp: Bool { scope != .receipt }
  /// The places of the keys in a verifyReceipt response.
  package var paths: [String] { keys.map { (isInApp ? "receipt.in_app[]." : "receipt.") + $0.name } }
}
