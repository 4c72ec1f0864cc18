import SlipcastBulk

/// Says what lies in directories and was not read: nothing is left out in silence.
enum PassedOverWords {
  private static let most = 5

  static func say(_ passedOver: [PassedOver], _ arguments: Arguments, _ console: Console) {
    if arguments.has("quiet") { return }
    let (others, passedOver) = (
      passedOver.filter { $0.reason == .otherName }, passedOver.filter { $0.reason != .otherName }
    )
    if !others.isEmpty { console.say("slipcast: \(words(ofOtherNames: others.map(\.path)))\n") }
    for place in passedOver.prefix(most) { console.say("slipcast: \(Console.harmless(place.description))\n") }
    let rest = passedOver.count - most
    if rest > 0 { console.say("slipcast: … and \(rest) more were passed over\n") }
    if !passedOver.isEmpty {
      console.say("slipcast: what was passed over is read when it is named as an input itself\n")
    }
  }

  private static func words(ofOtherNames paths: [String]) -> String {
    let names = paths.prefix(3).map { String($0.split(separator: "/").last ?? "") }.map(Console.harmless)
    let more = paths.count > names.count ? ", …" : ""
    let files = paths.count == 1 ? "1 file is" : "\(ClosingTable.grouped(paths.count)) files are"
    return "\(files) not read for the end of the name (\(names.joined(separator: ", "))\(more)); --include reads others"
  }
}
