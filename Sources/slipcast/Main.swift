import SlipcastCommand

@main
enum Main {
  static func main() async { await Slipcast.main() }
}
