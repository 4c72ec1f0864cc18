import SlipcastBulk

/// Says what lies in directories and was not read: nothing is left out in silence.
enum PassedOverWords {
  private static let most = 5

  static func say(_ passedOver: [PassedOver], _ arguments: Arguments, _ console: Console) {
    if arguments.has("quiet") { return }
    for place in passedOver.prefix(most) { console.say("slipcast: \(Console.harmless(place.description))\n") }
    let rest = passedOver.count - most
    if rest > 0 { console.say("slipcast: … and \(rest) more were passed over\n") }
    if !passedOver.isEmpty {
      console.say("slipcast: what was passed over is read when it is named as an input itself\n")
    }
  }
}
