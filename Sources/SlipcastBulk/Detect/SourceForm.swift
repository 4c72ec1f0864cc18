/// The form of a source, as far as options depend on it.
package enum SourceForm: String, CaseIterable, Sendable {
  /// JSON texts one after another, or an array of them.
  case json
  /// Encoded texts one after another: base64, tokens, receipts.
  case texts
  case csv
  case tsv
  /// Lines with JSON objects inside.
  case log
  /// A part of a journal of `slipcast serve`.
  case journal
  /// Rows of a database.
  case rows
  /// A Slipcast store: its records were converted before.
  case store
  /// Nothing in it was recognized.
  case unknown
}

/// An option that reads a source; its value, if it has one.
package struct ReadingOption: Hashable, Sendable {
  package var name: String
  package var value: String?

  package init(_ name: String, _ value: String? = nil) { (self.name, self.value) = (name, value) }
}

/// One way to read a source of an unknown form, with its options.
struct FormTrial {
  var form: SourceForm
  var options: [ReadingOption] = []
  var table = TableOptions()

  /// The ways that may fit a name, the likeliest first.
  ///
  /// - Parameter name: of the file; an archive has files of several names.
  static func all(for name: String) -> [FormTrial] {
    switch TableOptions().form(of: name) {
    case .csv: return separators(isNamed: true)
    case .tsv: return [FormTrial(form: .tsv)] + escapings([.copy, .plain, .quoted])
    case nil: break
    }
    let log = FormTrial(form: .log, options: [ReadingOption("from-logs")], table: table { $0.isLog = true })
    // A name with an extension of JSON is never a table.
    let isJSON = table { $0.isCSV = true }.form(of: name) == nil
    return [FormTrial(form: .json), log] + (isJSON ? [] : separators(isNamed: false) + escapings([.copy, .plain]))
  }

  private static func table(_ change: (inout TableOptions) -> Void) -> TableOptions {
    var table = TableOptions()
    change(&table)
    return table
  }

  private static func separators(isNamed: Bool) -> [FormTrial] {
    [nil, ";", "\t", "|"].map { (separator: String?) in
      let table = table {
        $0.isCSV = !isNamed
        $0.separator = separator?.utf8.first
      }
      let options = (isNamed ? [] : [ReadingOption("csv")]) + (separator.map { [ReadingOption("separator", $0)] } ?? [])
      return FormTrial(form: .csv, options: options, table: table)
    }
  }

  private static func escapings(_ escapings: [TableOptions.Escaping]) -> [FormTrial] {
    escapings.map { escaping in
      FormTrial(
        form: .tsv, options: [ReadingOption("tsv", escaping.rawValue)], table: table { $0.escaping = escaping })
    }
  }
}
