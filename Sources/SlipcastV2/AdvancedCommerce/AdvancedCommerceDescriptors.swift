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

  /// Apple's name of the object.
  public static let modelName = "advancedCommerceDescriptors"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("description", in: page, { $0.description }, { $0.description = $1 }),
    .text("displayName", in: page, { $0.displayName }, { $0.displayName = $1 }),
  ]

  private static let page = "App Store Server Notifications, advancedCommerceDescriptors"
}
