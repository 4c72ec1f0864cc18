internal import SlipcastMapping
public import SlipcastWire

/// Accepted differences, one on each line, each with its reason.
///
///     # pattern                       until (optional)   reason
///     data.transactionInfo.price      until=2027-01-31   prices are checked in billing
///     **.appAccountToken                                 tokens were rewritten in 2024
///
/// A pattern is a path of V2 or V1, dotted or as a JSON pointer. `*` stands for any part of one name, `[*]` for any
/// place of a list, `**` for any number of steps. What is ignored is still shown, and counted by itself.
public struct IgnoreList: Sendable {
  struct Line: Sendable {
    var number: Int
    var pattern: DifferencePattern
    var until: String?
    var reason: String

    /// The field is a difference, and its path fits.
    func covers(_ field: FieldDifference) -> Bool { field.differenceClass < .representation && pattern.fits(field) }
  }

  let lines: [Line]
  let name: String

  /// A line that cannot be read.
  public struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1.
    public var line: Int
    /// What was expected and what stood there.
    public var message: String

    /// The place and the message.
    public var description: String { "line \(line): \(message)" }
  }

  /// Reads a list; empty lines and those that begin with `#` are ignored.
  ///
  /// - Parameter name: what to call the list in warnings and reports: a file's path.
  /// - Throws: `Fault` for a line without a reason, or with an unreadable day.
  public init(_ text: String, name: String = "the ignore list") throws(Fault) {
    self.name = name
    var lines: [Line] = []
    let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
    for (place, row) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      var words = row.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let pattern = words.first, !pattern.hasPrefix("#") else { continue }
      words.removeFirst()
      var until: String?
      if let word = words.first, word.hasPrefix("until=") {
        until = String(word.dropFirst("until=".count))
        words.removeFirst()
      }
      lines.append(try Self.line(place + 1, pattern: pattern, until: until, reason: words.joined(separator: " ")))
    }
    self.lines = lines
  }

  /// A list of one line in a program's source.
  ///
  /// - Parameters:
  ///   - name: the source file.
  ///   - number: the line in it.
  package init(
    pattern: String, until: String?, reason: String, name: String, number: Int
  ) throws(Fault) {
    self.name = name
    lines = [try Self.line(number, pattern: pattern, until: until, reason: reason)]
  }

  private static func line(
    _ number: Int, pattern: String, until: String?, reason: String
  ) throws(Fault) -> Line {
    if let until, Timestamp(day: until) == nil {
      throw Fault(line: number, message: "expected until=yyyy-MM-dd, the last day on which the line counts")
    }
    guard !pattern.isEmpty, reason.contains(where: { !$0.isWhitespace }) else {
      let missing = pattern.isEmpty ? "pattern" : "reason"
      throw Fault(line: number, message: "expected a pattern and a reason; the \(missing) is missing")
    }
    return Line(number: number, pattern: DifferencePattern(pattern), until: until, reason: reason)
  }
}

extension Comparison {
  /// The same comparison with accepted differences marked.
  ///
  /// Lines that have expired or match no difference become warnings: a list must not rot.
  ///
  /// - Parameters:
  ///   - list: what is accepted.
  ///   - now: the day on which the list is read; a line counts up to the end of its day, UTC.
  public func ignoring(_ list: IgnoreList, now: Timestamp) -> Comparison {
    var copy = self
    for line in list.lines {
      if let until = line.until, let day = Timestamp(day: until), now.milliseconds >= day.milliseconds + 86_400_000 {
        let isNeeded = copy.fields.contains { line.covers($0) }
        let what = isNeeded ? "; its differences count again" : " and matches no difference; it can be removed"
        let message = "line \(line.number) of \(list.name) expired after \(until)\(what)"
        copy.notes.append(Note(code: "ignoreExpired", isWarning: true, message: message))
        continue
      }
      var isUsed = false
      for place in copy.fields.indices where line.covers(copy.fields[place]) {
        isUsed = true
        guard copy.fields[place].ignored == nil else { continue }
        copy.fields[place].ignored = IgnoredDifference(
          reason: line.reason, list: list.name, line: line.number, until: line.until)
      }
      guard !isUsed else { continue }
      copy.notes.append(
        Note(
          code: "ignoreUnused", isWarning: true,
          message: "line \(line.number) of \(list.name) matches no difference; it can be removed"
            + (line.pattern.meant(among: copy.fields).map { ", unless \($0) was meant" } ?? "")))
    }
    return copy
  }
}
