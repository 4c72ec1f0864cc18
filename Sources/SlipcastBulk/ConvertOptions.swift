public import SlipcastMapping
public import SlipcastSignatures
@_spi(Slipcast) package import SlipcastWire

/// The treatment of a record that cannot be converted.
public enum ErrorPolicy: String, CaseIterable, Hashable, Sendable {
  /// It is counted and written to the rejects.
  case reject
  /// It is counted and left out; the run does not fail for it.
  case skip
  /// The run ends at it.
  case stop
}

/// The number of rejects that ends a run.
public enum RejectLimit: Hashable, Sendable {
  /// At most that many.
  case count(Int)
  /// At most that share of the read records, in percent; checked from 1,000 records on and at the end.
  case percent(Double)

  /// `25` or `0.5%`.
  public init?(_ text: String) {
    if text.hasSuffix("%") {
      guard let value = Double(text.dropLast()), value >= 0, value <= 100 else { return nil }
      self = .percent(value)
    } else {
      guard let value = Int(text), value >= 0 else { return nil }
      self = .count(value)
    }
  }

  func isExceeded(rejected: Int, read: Int, isFinal: Bool) -> Bool {
    switch self {
    case .count(let most): rejected > most
    case .percent(let most): (isFinal || read >= 1000) && Double(rejected) * 100 > most * Double(max(read, 1))
    }
  }
}

/// How `convert` works on its records.
public struct ConvertOptions: Sendable {
  /// The form of the output.
  public var emission = Emission.auto
  /// Omits Slipcast's own member `migration`.
  public var isPlain = false
  /// Reduces the lines of converted records to these members; `nil`: all.
  package var members: MemberChoice?
  /// Writes rows of CSV instead of lines of JSON; the destination writes the header (`EventTable`).
  package var isTable = false
  /// Signs the output, in Apple's wire format, without `migration`.
  public var identity: TestIdentity?
  /// The path of the record in its row, as a JSON pointer (RFC 6901); `nil`: the row is the record.
  public var body: JSONPointer? {
    get { pointers.body }
    set { pointers.body = newValue }
  }
  /// The path of the received time in the row.
  public var receivedAt: JSONPointer? {
    get { pointers.receivedAt }
    set { pointers.receivedAt = newValue }
  }
  /// The path of the row's own id; it is repeated in rejects and provenance.
  public var id: JSONPointer? {
    get { pointers.id }
    set { pointers.id = newValue }
  }
  /// All three, for sources that have none of their own (`RecordSource.pointers`).
  package var pointers = RowPointers()
  /// Values that the caller knows and the records do not contain.
  public var conversion = ConversionOptions()
  /// The treatment of broken records.
  public var onError = ErrorPolicy.reject
  /// The limit of rejects.
  public var maxRejects: RejectLimit?
  /// The number of parallel workers.
  public var jobs = 1
  /// How many bytes one record may have.
  public var recordBytes = 16 << 20
  /// The maximum nesting of arrays and objects.
  public var depth = 128
  /// The run can be resumed: sources are cut into blocks that depend only on their content.
  public var isResumable = false
  /// Collects what rejects keep of their records.
  public var keepsRejects = false
  /// Collects rejected records as their sources have them, secrets included.
  public var keepsRawRejects = false
  /// Collects the account of every record.
  public var keepsProvenance = false

  /// V2 records go to the target as they are, decoded, as a store holds both sides of a migration.
  ///
  /// Otherwise they are rejected.
  package var takesServer = false
  /// A store keeps the legacy records too, without their secret.
  public var keepsBodies = false

  /// The readings that other messages of the archive settle; `nil`: each record is read alone.
  public var settled: SettledReadings?

  /// How receipts are read; by default with the rules of the run.
  var receipts: RowReader.ReceiptReading?

  /// Verifies receipts on the way: those that are converted, and those in the records.
  public var verification: VerificationPolicy?
  /// A record with no receipt, or with one that is not trusted, is rejected; otherwise it is a finding.
  public var requiresVerified = false

  /// Everything as by default.
  public init() {}

  package var limits: JSONLimits { JSONLimits(depth: depth, recordBytes: recordBytes) }
}
