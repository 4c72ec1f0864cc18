import SlipcastMapping
internal import SlipcastWire

/// What a section consists of.
indirect enum ReportBlock: Sendable {
  case items([ReportItem])
  case table(ReportTable)
  case facts([ReportFact])
  case findings([ReportFinding])
  case fields(ReportFields)
  /// Blocks under a heading of their own.
  case titled(String, summary: String, [ReportBlock])
  /// Blocks that unfold; text shows `brief` instead, unless it shows everything.
  case folded(String, brief: [ReportItem], [ReportBlock])
  /// Blocks that unfold; only pages contain them.
  case page(String, [ReportBlock])
  /// How often which name meets which; only pages draw it.
  case matrix(ReportMatrix)
  /// Numbers over time; only pages draw them, others have the table.
  case periods(ReportPeriods)
  /// Records by their ids, which a page filters.
  case records(ReportRecords)
  /// Pairs that a page shows on demand.
  case pairs([ReportPair])
}

struct ReportItem: Sendable {
  /// What an entry begins with.
  enum Lead: Sendable {
    case none
    case count(Int)
    case gate(holds: Bool)
  }

  var lead = Lead.none
  /// What it is about; empty for nothing in particular.
  var name = ""
  /// The name comes from a record or a rule, and is not a word of this program.
  var isCode = false
  /// The id of the section with details.
  var link: String?
  var words = ""
  /// Sentences below it.
  var details: [String] = []
  /// Sentences that follow these on a page, when a reader asks for them; other forms count them.
  var further: [String] = []
  /// How many more there are, `further` included.
  var rest = 0
  var tone: ReportTone?

  /// The sentences of a form without folded parts.
  var plainDetails: [String] { details + (rest > 0 ? ["\(rest.grouped) more; the JSON form lists all"] : []) }
}

/// A table; each row has one name.
struct ReportTable: Sendable {
  enum Kind: Sendable { case name, number, bar }

  struct Column: Sendable {
    var title: String
    var kind: Kind

    static func name(_ title: String) -> Column { Column(title: title, kind: .name) }
    static func number(_ title: String) -> Column { Column(title: title, kind: .number) }
    static func bar(_ title: String) -> Column { Column(title: title, kind: .bar) }
  }

  enum Cell: Sendable {
    case words(String)
    case number(String)
    case path(String, link: String, remark: String, worst: DifferenceClass, fails: Bool)
    case bar(ReportBar)
  }

  var caption: String
  /// Text shows columns in this order; other forms begin with the name.
  var columns: [Column]
  var rows: [[Cell]]
  /// The last row is a sum.
  var hasTotal = false

  /// Columns in the order of other forms than text: names, bars, numbers.
  var nameFirst: [Int] {
    [Kind.name, .bar, .number].flatMap { kind in columns.indices.filter { columns[$0].kind == kind } }
  }
}

struct ReportBar: Sendable {
  /// The most serious class first; classes without pairs are left out.
  var counts: [ReportCount]
  var total: Int
  var words: String
  /// The share of pairs that agree.
  var agreement: String
}

struct ReportCount: Hashable, Sendable {
  var differenceClass: DifferenceClass
  var count: Int
}

/// How often each row's name meets each column's.
struct ReportMatrix: Sendable {
  struct Cell: Sendable {
    var count: Int
    var conflicts: Int
  }

  var corner: String
  var caption: String
  var rows: [String]
  var columns: [String]
  /// A line for each row; `nil` where the two never meet.
  var cells: [[Cell?]]
  /// The cell shows the number of conflicts.
  var showsConflicts = false
}

struct ReportPeriods: Sendable {
  struct Panel: Sendable {
    /// What its numbers are.
    enum Kind: Sendable {
      case events, rates
      /// What the others are compared with.
      case quiet
    }

    var title: String
    var kind = Kind.events
    var numbers: [Int]
  }

  var panels: [Panel]
  /// What a span is, as the title of a column.
  var unit = "Span"
  /// A name for each span.
  var spans: [String]
  var first: String
  var last: String
  /// What the numbers are parts of: `12 failing pairs`.
  var whole: String?
  /// The numbers with more next to them; `nil`: the numbers alone.
  var table: ReportTable?
}

/// Rows about single records, with the ids by which a database finds them.
struct ReportRecords: Sendable {
  struct Row: Sendable {
    /// `missing in V2`, `conflict`, `locked out`.
    var kind: String
    var type: String
    var originalTransactionId: String
    var productId: String
    var time: String
    /// Where the records stand: source, number, row.
    var places: String
    /// The number of the pair that is shown in full.
    var pair: Int?
  }

  var caption: String
  var rows: [Row]
}

/// One pair in full, or what of it needs a look.
struct ReportPair: Sendable {
  var number: Int
  var records: String
  var sentence: String
  var tone: ReportTone
  var sides: [ReportFact]
  var notes: [String]
  var rows: [ReportRow]
  /// Fields that are left out, because nothing is to be said of them.
  var rest: Int
  /// The section about access links to it.
  var isOfAccess: Bool
}
