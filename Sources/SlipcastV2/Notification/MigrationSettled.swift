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

  /// The name of the object.
  public static let modelName = "migrationSettled"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .word("from", in: page, of: "confidence", { $0.from }, { $0.from = $1 }),
    .objects("by", in: page, { $0.by }, { $0.by = $1 }),
    .texts("facts", in: page, { $0.facts }, { $0.facts = $1 }),
    .boolean("complete", in: page, { $0.complete }, { $0.complete = $1 }),
  ]

  private static let page = "Slipcast: migration"
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

  /// The name of the object.
  public static let modelName = "migrationWitness"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("source", in: page, { $0.source }, { $0.source = $1 }),
    .integer64("record", in: page, { $0.record }, { $0.record = $1 }),
  ]

  private static let page = "Slipcast: migration"
}
