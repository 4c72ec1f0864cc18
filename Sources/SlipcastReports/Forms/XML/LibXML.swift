import CSlipcastXML

/// What both writers need of libxml2.
enum LibXML {
  /// Fills libxml2's tables once, before two threads could do so at the same time.
  static let isReady: Bool = {
    xmlInitParser()
    return true
  }()

  /// What libxml2 hands out is missing only when memory is.
  static func allocated<Value>(_ value: Value?) -> Value {
    guard let value else { fatalError("no memory left for libxml2") }
    return value
  }

  /// Writing into memory fails only when there is none left; a report cut short must not pass for a whole one.
  static func written(_ count: some BinaryInteger) {
    if count < 0 { fatalError("no memory left for libxml2") }
  }
}
