internal import SlipcastDigest
internal import SlipcastReports
@_spi(Slipcast) internal import SlipcastWire

/// A report that `parity --format json` wrote, with what its page shows.
package struct ParityFile: Sendable {
  /// One row of a list of the report.
  struct Row: Sendable {
    /// `missing in V2`, `conflict`, `locked out`.
    var kind: String
    var type: String = ""
    var path: String = ""
    var customer: GuardedText?
    var productId: String = ""
    var time: Int64?
    var legacyRecord: Int64?
    var serverRecord: Int64?
    var legacy = GuardedText(words: "")
    var server = GuardedText(words: "")
    var source: GuardedText?
    var id: GuardedText?
    var words: String = ""
    var isAccepted = false
  }

  /// What many conflicts have in common.
  struct Cause: Sendable {
    var kind: String
    var path: String
    var pairs: Int
    var share: String
    var common: GuardedText
  }

  /// Whether access is judged by customer.
  enum Customers: Sendable {
    /// No record has a date: pairs are judged.
    case none
    /// It is, but an older program did not list them in the report.
    case absent
    case listed
  }

  struct Gate: Sendable {
    var name: String
    var holds: Bool
    var words: String
  }

  /// The name as it was given.
  package private(set) var name: String
  private(set) var digest: String
  var verdict = ""
  var pairs: [(name: String, count: Int64)] = []
  var access: [(name: String, count: Int64)] = []
  /// When the access of all customers is judged.
  var asOf: Int64?
  var gates: [Gate] = []
  var causes: [Cause] = []
  var missing: [Row] = []
  /// Customers whose access differs, of each outcome so many as the report lists.
  var changes: [Row] = []
  /// Customers of which one archive does not say enough.
  var undecided: [Row] = []
  var ofCustomers = Customers.none
  /// How many of both there are.
  var changeCount = 0
  var undecidedCount = 0
  var differences: [Row] = []
  var fields: [(path: String, counts: [(name: String, count: Int64)])] = []
  var notes: [String] = []

  /// Reads a report.
  ///
  /// - Throws: `ParityFileError`.
  package init(_ bytes: [UInt8], name: String) throws(ParityFileError) {
    (self.name, digest) = (name, SHA256Stream.hexadecimal(of: bytes))
    let reader = JSONReader(names: [])
    let read: ParityFile?? = reader.parse(JSONBuffer(bytes)) { root in
      ParityReading(root).map { reading in
        var file = self
        reading.fill(&file)
        return file
      }
    }
    guard let found = read ?? nil else {
      throw ParityFileError(name: name)
    }
    self = found
  }

  /// Missing events per month, by side.
  var missingChart: Chart? {
    let dated = missing.compactMap { row in row.time.map { (row.kind, $0) } }
    guard !dated.isEmpty else { return nil }
    let undated = missing.count - dated.count
    return Chart(
      months: dated.map { (PageTime.monthNumber($0.1), $0.0, 1) }, id: "missing-months",
      title: "Missing events per month",
      about: (["By the report of parity."] + [Undated.words(undated, "missing event")].compactMap(\.self))
        .joined(separator: " "))
  }
}

/// A file that is not a report of parity.
package struct ParityFileError: Error, CustomStringConvertible {
  var name: String

  package var description: String {
    "cannot read \(name): it is not a report of parity, which slipcast parity … --report parity.json writes; records go into "
      + "a store first: slipcast convert \(name) --to archive.sqlite --execute"
  }
}
