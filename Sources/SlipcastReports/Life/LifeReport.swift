package import SlipcastComparison

/// The history of one subscription for support staff, as one page.
///
/// Times are milliseconds since 1970 UTC.
package struct LifeReport: Sendable {
  /// The meaning of a color.
  package enum Tone: String, Sendable {
    case paid, free, refunded, ended, open, plain
  }

  /// A paid or free period.
  package struct Period: Sendable {
    package var from: Int64
    package var until: Int64
    package var label: String
    package var tone: Tone

    package init(from: Int64, until: Int64, label: String, tone: Tone) {
      (self.from, self.until, self.label, self.tone) = (from, until, label, tone)
    }
  }

  /// One event, or one that V1 never sends.
  package struct Row: Sendable {
    package var time: Int64?
    /// V2's event.
    package var event: String
    /// V1's messages, the deciding one first.
    package var messages: [String]
    package var reading: String
    /// Why: the rule, its meaning, and the records that support it.
    package var reasons: [String]
    package var tone: Tone

    package init(
      time: Int64?, event: String, messages: [String], reading: String, reasons: [String], tone: Tone
    ) {
      (self.time, self.event, self.messages) = (time, event, messages)
      (self.reading, self.reasons, self.tone) = (reading, reasons, tone)
    }
  }

  package var title: String
  /// Answers such as "access until", each with its reason.
  package var answers: [(question: String, answer: String, why: String)] = []
  package var periods: [Period] = []
  package var rows: [Row] = []
  /// When it was made, in milliseconds since 1970 UTC, and the options of the command.
  package var made: (time: Int64, options: [ComparisonOrigin.Option])?

  package init(title: String) { self.title = title }
}
