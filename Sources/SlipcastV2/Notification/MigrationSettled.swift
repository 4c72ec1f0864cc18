public import SlipcastWire

/// How other messages of the archive settled an ambiguous or inferred reading.
///
/// Source: Slipcast, `slipcast convert --settle`.
public struct MigrationSettled: FieldModel {
  /// The confidence that the record alone gives: `ambiguous` or `inferred`.
  public var from: Open<Confidence>?
  /// The records that support the reading.
  public var by: [MigrationWitness]?
  /// The archive facts that decide.
  public var facts: [String]?
  /// True where a fact follows from the owner's word that the archive is complete (`--complete`).
  public var complete: Bool?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// The document of the object.
  public static let document = "Slipcast: migration"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .word("from", \.from),
    .objects("by", \.by),
    .texts("facts", \.facts),
    .boolean("complete", \.complete),
  ]
}

/// A record of the archive that supports a settled reading.
///
/// Source: Slipcast, `slipcast convert --settle`.
public struct MigrationWitness: FieldModel {
  /// The source of the record, where the run has several.
  public var source: String?
  /// The number of the record in its source, from 1.
  public var record: Int64?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// The document of the object.
  public static let document = "Slipcast: migration"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("source", \.source),
    .integer64("record", \.record),
  ]
}
