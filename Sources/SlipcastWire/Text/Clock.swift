internal import SlipcastSystem

extension Timestamp {
  package static var now: Timestamp {
    Timestamp(milliseconds: Platform.milliseconds())
  }
}
