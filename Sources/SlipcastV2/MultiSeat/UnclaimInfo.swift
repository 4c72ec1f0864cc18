public import SlipcastWire

/// The claims to seats that the App Store released; only in `UNCLAIM_SEATS`.
///
/// Source: App Store Server Notifications, unclaimInfo.
public struct UnclaimInfo: FieldModel {
  /// The ids that claiming a seat returned, as UUIDs; not ids of seats or customers.
  public var unclaimSeatIds: [String]?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "App Store Server Notifications, unclaimInfo"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .texts("unclaimSeatIds", \.unclaimSeatIds)
  ]
}
