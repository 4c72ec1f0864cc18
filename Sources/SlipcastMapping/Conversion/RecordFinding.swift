@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2

/// A finding whose path is not spelled yet.
struct RecordFinding {
  enum Words {
    case drift(LegacyDrift)
    case note(ConversionNote)
    /// They come from the rules or the caller.
    case ofRecord(String, isWarning: Bool, String)
  }

  let words: Words
  /// The place of the value on the tape; 0 for the record itself.
  let index: Int

  var code: String {
    switch words {
    case .drift(let drift): drift.code
    case .note(let note): note.code
    case .ofRecord(let code, _, _): code
    }
  }

  var severity: Finding.Severity {
    let isWarning =
      switch words {
      case .drift(let drift): drift.isWarning
      case .note(let note): note.isWarning
      case .ofRecord(_, let isWarning, _): isWarning
      }
    return isWarning ? .warning : .info
  }

  var message: String {
    switch words {
    case .drift(let drift): drift.message
    case .note(let note): note.message
    case .ofRecord(_, _, let message): message
    }
  }

  /// Those whose words are the same in all records, in the order of their numbers.
  static let known =
    LegacyDrift.allCases.map { RecordFinding(words: .drift($0), index: 0) }
    + ConversionNote.allCases.map { RecordFinding(words: .note($0), index: 0) }

  /// Its place among `known`; `nil` for one whose message depends on the record.
  var number: Int? {
    switch words {
    case .drift(let drift): Int(drift.rawValue)
    case .note(let note): LegacyDrift.allCases.count + Int(note.rawValue)
    case .ofRecord: nil
    }
  }
}
