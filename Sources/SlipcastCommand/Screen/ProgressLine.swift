import SlipcastWire

/// The text of a progress line: share, count, speed and remaining time, as much as fits.
struct ProgressLine {
  let stage: Stage
  /// The stage when it was first seen: what an earlier run did does not count for the speed of this one.
  let first: Stage
  /// Seconds since then.
  let seconds: Double

  private struct Part {
    var text: String
    /// Parts with a higher rank are left out first.
    var rank: Int
    var isBad = false
  }

  private static let widestBar = 24
  private static let narrowestBar = 8
  /// Seconds after which a speed means something.
  private static let shortest = 0.2

  /// Everything in one line, without a bar.
  func text(_ red: (String) -> String) -> String { joined(parts, red) }

  /// What fits into so many columns, with a bar where there is room for one.
  func text(fitting columns: Int, _ red: (String) -> String) -> String {
    var parts = parts
    func width() -> Int { parts.reduce(0) { $0 + $1.text.count + 2 } - 2 }
    // Share, speed and remaining time are worth more than a bar, all else is worth less.
    let bar = part == nil ? 0 : Self.narrowestBar + 4
    while width() + bar > columns, let rank = parts.map(\.rank).max(), rank > 3 { parts.removeAll { $0.rank == rank } }
    while parts.count > 1, width() > columns, let rank = parts.map(\.rank).max() { parts.removeAll { $0.rank == rank } }
    let room = min(Self.widestBar, columns - width() - 4)
    if let part, room >= Self.narrowestBar {
      let full = min(room, Int(part * Double(room)))
      let bar = "[" + String(repeating: "=", count: full) + TextLayout.blanks(room - full) + "]"
      let place = stage.name.isEmpty ? 0 : 1
      parts.insert(Part(text: bar, rank: 0), at: min(place, parts.count))
    }
    let text = joined(parts, red)
    return parts.count == 1 ? String(text.prefix(columns)) : text
  }

  private func joined(_ parts: [Part], _ red: (String) -> String) -> String {
    parts.map { $0.isBad ? red($0.text) : $0.text }.joined(separator: "  ")
  }

  private var parts: [Part] {
    var parts: [Part] = []
    if !stage.name.isEmpty { parts.append(Part(text: stage.name, rank: 3)) }
    if let part { parts.append(Part(text: "\(Int(part * 100))%", rank: 0)) }
    parts.append(Part(text: "\(stage.count.grouped) \(stage.unit)", rank: 4))
    // A stage that has only begun has no speed yet.
    if seconds >= Self.shortest {
      parts.append(Part(text: "\(perSecond(stage.count - first.count).grouped) \(stage.unit)/s", rank: 2))
    }
    if let bytes = stage.bytes, seconds >= Self.shortest {
      let speed = Double(bytes - (first.bytes ?? 0)) / 1e6 / max(seconds, 1e-3)
      parts.append(Part(text: "\(ClosingTable.decimal(speed, 1)) MB/s", rank: 7))
    }
    for (place, other) in stage.others.enumerated() {
      let isBad = other.isBad && other.count > 0
      parts.append(Part(text: "\(other.count.grouped) \(other.name)", rank: isBad ? 5 : 6 + place, isBad: isBad))
    }
    if let left = secondsLeft { parts.append(Part(text: "ETA \(Self.clock(left))", rank: 1)) }
    return parts
  }

  private func perSecond(_ count: Int) -> Int { Int(Double(max(0, count)) / max(seconds, 1e-3)) }

  private var part: Double? {
    guard let share = stage.share, share.all > 0 else { return nil }
    return min(1, share.done / share.all)
  }

  /// `nil` until the speed is known: three seconds, and a fiftieth of the work.
  private var secondsLeft: Double? {
    guard let share = stage.share, let before = first.share, seconds >= 3 else { return nil }
    let done = share.done - before.done
    guard done > 0, done * 50 >= share.all - before.done else { return nil }
    return seconds * max(0, share.all - share.done) / done
  }

  /// `1:02:03`, or `2:03` under an hour.
  static func clock(_ seconds: Double) -> String {
    let whole = Int(min(seconds.rounded(.up), 359_999))
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":\(two(whole % 60))"
  }
}
