public import SlipcastWire

/// The texts that a customer sees for an Advanced Commerce product.
///
/// Source: App Store Server Notifications, advancedCommerceDescriptors.
public struct AdvancedCommerceDescriptors: FieldModel {
  /// The description, at most 45 characters.
  public var description: String?
  /// The name, at most 30 characters.
  public var displayName: String?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "App Store Server Notifications, advancedCommerceDescriptors"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("description", \.description),
    .text("displayName", \.displayName),
  ]
}
