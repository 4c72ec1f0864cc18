public import SlipcastMapping
public import SlipcastSignatures

/// What happens to a record that cannot be converted.
public enum ErrorPolicy: String, CaseIterable, Hashable, Sendable {
  /// It is counted and written to the rejects.
  case reject
  /// It is counted and left out; the run does not fail for it.
  case skip
  /// The run ends with it.
  case stop
}

/// When a run has seen enough rejects.
public enum RejectLimit: Hashable, Sendable {
  /// At most that many.
  case count(Int)
  /// At most that share of the records read, in percent; judged from 1,000 records on and at the end.
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
  /// What is written.
  public var emission = Emission.auto
  /// Leaves Slipcast's own account (`migration`) out.
  public var isPlain = false
  /// Signs what is written, in Apple's wire shape; nothing of `migration` is left then.
  public var identity: TestIdentity?
  /// Where the record stands in its row, as a JSON pointer (RFC 6901); `nil`: the row is the record.
  public var body: JSONPointer?
  /// Where the row tells when the record was received.
  public var receivedAt: JSONPointer?
  /// Where the row has its own id; it is repeated in rejects and provenance.
  public var id: JSONPointer?
  /// What the caller knows and the records do not say.
  public var cast = CastOptions()
  /// What happens to broken records.
  public var onError = ErrorPolicy.reject
  /// When to give up.
  public var maxRejects: RejectLimit?
  /// How many workers convert side by side.
  public var jobs = 1
  /// How many bytes one record may have.
  public var recordBytes = 16 << 20
  /// How many arrays and objects may stand inside each other.
  public var depth = 128
  /// The run may be ended and go on later: sources are read in pieces that depend on nothing but their content.
  public var isResumable = false
  /// Collects the text of broken records.
  public var keepsRejects = false
  /// Collects the account of every record.
  public var keepsProvenance = false

  /// How receipts are read; by the rules of the run unless told otherwise.
  var receipts: ReceiptSource?

  /// Verifies receipts on the way: those that are converted, and those in the records.
  public var verification: VerificationPolicy?
  /// A record that holds no receipt, or one that is not trusted, is rejected; else it is a finding.
  public var requiresVerified = false

  /// Everything as by default.
  public init() {}
}
