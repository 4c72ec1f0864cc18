public import SlipcastWire

/// A price increase of an Advanced Commerce item.
///
/// Source: App Store Server Notifications, advancedCommercePriceIncreaseInfo.
public struct AdvancedCommercePriceIncreaseInfo: FieldModel {
  /// The items whose prices rise together with this one.
  public var dependentSKUs: [String]?
  /// The new price, in milliunits.
  public var price: Int64?
  /// The progress of the increase.
  public var status: Open<AdvancedCommercePriceIncreaseInfoStatus>?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "App Store Server Notifications, advancedCommercePriceIncreaseInfo"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .texts("dependentSKUs", \.dependentSKUs),
    .milliunits("price", \.price),
    .word("status", \.status),
  ]
}
