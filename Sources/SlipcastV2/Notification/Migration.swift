public import SlipcastWire

/// How a document was converted: the rule, its confidence, and what is uncertain.
///
/// Slipcast's own object, at the end of converted documents; Apple never sends it.
///
/// Source: Slipcast, `slipcast convert`.
public struct Migration: FieldModel {
  /// The id of the mapping rule that chose the type and subtype.
  public var rule: String?
  /// How sure this record makes the event: the weakest link of rule, conditions, subject and time.
  public var confidence: Open<Confidence>?
  /// The possible readings, at least two, when the confidence is `ambiguous`.
  public var candidates: [MigrationCandidate]?
  /// Present for a legacy companion message that version 2 never sends.
  public var absorbed: MigrationAbsorbed?
  /// How other messages of the archive settled the reading (`convert --settle`).
  public var settled: MigrationSettled?
  /// How other messages of the archive left several readings: those in `candidates`, or one and those in `accepts`.
  public var narrowed: MigrationSettled?
  /// Other events that stay possible, because the record lacks a value that would rule them out.
  public var accepts: [MigrationCandidate]?
  /// The time since which auto-renew is on and unchanged, where V1 states it in a message that is not about this
  /// change.
  public var autoRenewOnSince: Timestamp?
  /// The other legacy messages of this event, where messages of one action were merged.
  public var companions: [MigrationCompanion]?
  /// The dotted paths of members that no legacy member states.
  public var inferred: [String]?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// The document of the object.
  public static let document = "Slipcast: migration"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("rule", \.rule),
    .word("confidence", \.confidence),
    .objects("candidates", \.candidates),
    .object("absorbed", \.absorbed),
    .object("settled", \.settled),
    .object("narrowed", \.narrowed),
    .objects("accepts", \.accepts),
    .milliseconds("autoRenewOnSince", \.autoRenewOnSince),
    .objects("companions", \.companions),
    .texts("inferred", \.inferred),
  ]
}

/// One possible reading of an ambiguous legacy message.
///
/// Source: Slipcast, `slipcast convert`.
public struct MigrationCandidate: FieldModel {
  /// The type in this reading.
  public var notificationType: Open<NotificationType>?
  /// The subtype in this reading.
  public var subtype: Open<Subtype>?
  /// What would decide for this reading.
  public var needs: String?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// The document of the object.
  public static let document = "Slipcast: migration"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .word("notificationType", \.notificationType),
    .word("subtype", \.subtype),
    .text("needs", \.needs),
  ]
}

/// The event that a legacy companion message is part of.
///
/// Source: Slipcast, `slipcast convert`.
public struct MigrationAbsorbed: FieldModel {
  /// The type and subtype of the event, `DID_CHANGE_RENEWAL_PREF/UPGRADE`.
  public var into: String?
  /// The id of the rule that found it.
  public var rule: String?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// The document of the object.
  public static let document = "Slipcast: migration"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("into", \.into),
    .text("rule", \.rule),
  ]
}

/// A legacy message that was merged into another one: both belong to one action, and V2 sends one notification for it.
///
/// Source: Slipcast, `slipcast convert --group`.
public struct MigrationCompanion: FieldModel {
  /// The id that the message had as a separate notification.
  public var notificationUUID: String?
  /// Version 1's type of the message.
  public var notification_type: String?
  /// The id of the rule that joined it.
  public var rule: String?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// The document of the object.
  public static let document = "Slipcast: migration"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("notificationUUID", \.notificationUUID),
    .text("notification_type", \.notification_type),
    .text("rule", \.rule),
  ]
}
