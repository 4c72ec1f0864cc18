internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Timelines for people: time, mark, V2 event and V1 message in columns, explanations below.
///
/// Marks: `?` an event with more than one reading, `+` a message that was merged into the event above, `~` an event
/// that V1 never sends, `=` a transaction of V2, `*` one of the order.
struct TextTimeline: TimelineForm {
  private let ink: Ink
  private let columns: Int
  private static let timeWidth = 24
  /// As wide as the longest event of V2.
  private static let eventWidth = 45
  /// The column of the event: after a margin, a time with milliseconds and the mark.
  private static let eventColumn = 2 + timeWidth + 3
  /// Where explanations begin: below the event, or further to the left where little room would be left.
  private let noteColumn: Int

  init(isColored: Bool, columns: Int) {
    ink = Ink(isColored: isColored)
    self.columns = columns
    noteColumn = columns >= Self.eventColumn * 5 / 2 ? Self.eventColumn : 6
  }

  func begin(_ summary: SubscriptionSummary, to output: JSONWriter) {
    let name = summary.originalTransactionId.map(SafeText.words) ?? "(without originalTransactionId)"
    let rest = [summary.bundleId, summary.environment].compactMap(\.self).map(SafeText.words)
    output.raw(([ink.bold("Subscription \(name)")] + rest).joined(separator: "  ") + "\n\n")
  }

  func event(_ group: EventGroup, of id: String?, to output: JSONWriter) {
    let isOpen = !group.candidates.isEmpty
    let event = group.event?.description ?? "(no type)"
    let message = group.isOfServer ? "(V2)" : group.lead.notification_type
    let text = line(group.time, mark: isOpen ? "?" : " ", event, message: message)
    output.raw((isOpen ? ink.yellow(text) : text) + "\n")
    for note in notes(group) { add(note, to: output) }
    for companion in group.companions {
      let text = line(companion.time, mark: "+", companion.rule, message: companion.event.notification_type)
      output.raw(ink.dim(text) + "\n")
    }
  }

  /// A line in columns without trailing blanks; it contains no characters that could mislead a terminal.
  private func line(_ time: Int64?, mark: String, _ event: String, message: String?) -> String {
    let when = time.map { Timestamp(milliseconds: $0).description } ?? ""
    let parts = [
      "  " + TextLayout.padded(when, to: Self.timeWidth), mark,
      TextLayout.padded(SafeText.words(event), to: Self.eventWidth),
      SafeText.words(message ?? ""),
    ]
    let text = Self.trimmed(parts.joined(separator: " "))
    guard columns < TextLayout.width, text.count > columns, let message = parts.last else { return text }
    // The message goes below the event where the terminal has no room for both.
    let below = message.isEmpty ? "" : "\n" + TextLayout.blanks(noteColumn) + message
    return Self.trimmed(parts.dropLast().joined(separator: " ")) + below
  }

  private static func trimmed(_ text: String) -> String { String(text.reversed().drop { $0 == " " }.reversed()) }

  /// The explanation of an event: the period, the rule, and everything uncertain.
  private func notes(_ group: EventGroup) -> [String] {
    let transaction = group.facts.transaction
    let period = [
      transaction?.productId, transaction?.webOrderLineItemId.map { "line item \($0)" },
      transaction?.expiresDate.map { "until \($0)" }, next(transaction?.productId, group.facts.renewal),
    ]
    let rule = [group.rule, group.confidence?.rawValue]
    var notes = [period, rule].map { $0.compactMap(\.self).joined(separator: ", ") }
    for candidate in group.candidates {
      guard let event = EventName(candidate) else { continue }
      notes.append("\(event): needs \(candidate.needs ?? "not in V1")")
    }
    if let event = group.absorbedInto {
      notes.append(
        "a companion message of \(event)" + (group.isUnmatched ? "; what it belongs to is not in the archive" : ""))
    }
    switch group.timeSource {
    case .eventTime: break
    // Apple signs V2's notification when the event happens.
    case .signedDate where group.isOfServer, .receivedAt where group.isOfServer: break
    case .receivedAt where group.after != nil: notes.append("time of receipt; it happened then or before")
    case .receivedAt: notes.append("time of receipt; V1 does not state when it happened")
    case .signedDate: notes.append("time of the notification; V1 does not state when it happened")
    case .unknown where group.after != nil: notes.append("at an unknown time after the event before it")
    case .unknown: notes.append("at an unknown time")
    }
    if group.isUntimed { notes.append("nothing is folded into it, because its time is unknown") }
    return notes
  }

  /// What the subscription renews to, where that is another product.
  private func next(_ productId: String?, _ renewal: EventFacts.Renewal?) -> String? {
    renewal?.autoRenewProductId.flatMap { $0 == productId ? nil : "renews to \($0)" }
  }

  func gap(_ gap: Gap, of id: String?, to output: JSONWriter) {
    let message = gap.isSent ? "(no message)" : "(never sent by V1)"
    output.raw(ink.cyan(line(gap.time, mark: "~", gap.event.description, message: message)) + "\n")
    let period = [gap.productId, gap.expires.map { "until \(Timestamp(milliseconds: $0))" }]
    add(period.compactMap(\.self).joined(separator: ", "), to: output)
    let when =
      switch gap.timing {
      case .exact: ""
      case .latest: " It happened then or before."
      case .earliest: " It happened then or later."
      }
    add(gap.meaning + when, to: output)
    if !gap.candidates.isEmpty {
      add("one of \(gap.candidates.map(\.description).joined(separator: ", "))", to: output)
    }
    add("\(gap.trace); \(gap.rule), \(gap.confidence.rawValue); \(gap.source)", to: output)
    if !gap.isComparable { add("Before V2 went live: nothing to compare, and nothing is missing.", to: output) }
  }

  func transaction(_ transaction: TimelineTransaction, of id: String?, to output: JSONWriter) {
    let mark = transaction.isOfOrder ? "*" : "="
    let name = "transaction \(transaction.transactionId ?? "")"
    output.raw(
      line(transaction.purchaseDate, mark: mark, name, message: transaction.isOfOrder ? "(of the order)" : nil) + "\n")
    let notes = [
      transaction.productId, transaction.webOrderLineItemId.map { "line item \($0)" },
      transaction.expiresDate.map { "until \(Timestamp(milliseconds: $0))" },
      transaction.revocationDate.map { "taken back \(Timestamp(milliseconds: $0))" },
    ]
    add(notes.compactMap(\.self).joined(separator: ", "), to: output)
  }

  func end(_ summary: SubscriptionSummary, to output: JSONWriter) {
    let counts = summary.counts
    var parts = ["messages \(counts.read)", "events \(counts.leads)", "absorbed \(counts.absorbed)"]
    if counts.duplicate > 0 { parts.append("duplicates \(counts.duplicate)") }
    if counts.unreadable > 0 { parts.append("unreadable \(counts.unreadable)") }
    parts.append("never sent by V1 \(summary.gaps - summary.unreported)")
    if summary.unreported > 0 { parts.append("without a message \(summary.unreported)") }
    output.raw("\n")
    write(parts.joined(separator: ", "), margin: 2, to: output)
    if !summary.products.isEmpty {
      write("products \(summary.products.joined(separator: ", "))", margin: 2, to: output)
    }
    if let first = summary.first, let last = summary.last {
      let times = [first, last].map { Timestamp(milliseconds: $0).description }
      write("from \(times[0]) to \(times[1])", margin: 2, to: output)
    }
    output.raw("\n")
  }

  func legend(_ events: [ServerEvent], to output: JSONWriter) {
    guard !events.isEmpty else { return }
    output.raw("V2 also sends these; V1 leaves no trace of them, so no timeline shows them:\n")
    write(events.map(\.event.description).joined(separator: ", "), margin: 2, to: output)
  }

  private func add(_ note: String, to output: JSONWriter) {
    if !note.isEmpty { write(note, margin: noteColumn, to: output) }
  }

  private func write(_ text: String, margin: Int, to output: JSONWriter) {
    let lines = TextLayout.wrapped(SafeText.words(text), after: TextLayout.blanks(margin), width: columns)
    for line in lines { output.raw(line + "\n") }
  }
}
