import SlipcastBulk
import SlipcastStores
import SlipcastWire

/// `--side`: which records of a store a command reads.
enum SideOption {
  /// The rule of a command that must not see an event twice.
  static func rule(_ arguments: Arguments, preferring preferred: StoreSide = .v1) -> StoreSideRule {
    StoreSideRule(asked: arguments.value("side"), preferred: preferred)
  }

  /// Refuses the option where no input holds both sides.
  ///
  /// - Parameter readsEvents: the command reads the events of journals by way of a store too.
  static func check(_ arguments: Arguments, readsEvents: Bool) throws {
    guard arguments.has("side"), !arguments.has("sources") else { return }
    let kinds = try arguments.operands.map(InputKind.init)
    guard !kinds.contains(.store), !(readsEvents && kinds.contains(.journal)) else { return }
    let words = readsEvents ? "a store, or the journal of slipcast serve" : "a store"
    throw UsageError("--side chooses the records of \(words), and no input is one; leave it out")
  }

  /// Says what of a store was not read.
  static func sayLeftOut(_ chosen: ChosenSide, of name: String, _ arguments: Arguments, _ console: Console) {
    guard chosen.leftOut > 0, !arguments.has("quiet"), !arguments.has("side") else { return }
    let (read, left, other) =
      chosen.side == .v1 ? ("converted V1", "V2", StoreSide.v2) : ("V2", "converted V1", StoreSide.v1)
    let noun = chosen.leftOut == 1 ? "record was" : "records were"
    console.say(
      "slipcast: \(Console.harmless(name)) holds both sides: its \(read) records are read, and "
        + "\(chosen.leftOut.grouped) \(left) \(noun) left out (--side \(other.rawValue))\n")
  }
}
