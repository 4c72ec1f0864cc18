internal import SlipcastMapping

/// What the lists of a page of V1 notifications show of the periods of their subscriptions, for a store that keeps it.
struct LiveLists {
  private let scanner = HistoryScanner(keepsNames: true)

  func begin() { _ = scanner.begin() }

  /// Takes the record that the converter has read.
  func take(_ converter: Converter, record: Int) { scanner.take(legacy: converter, record: record) }

  /// The periods of each subscription that a message shows, with the number of those messages.
  var periods: [KeptPeriod] {
    var subscriptions: [Int64: (name: String, messages: [HistoryMessage])] = [:]
    for (place, (subscription, message)) in scanner.messages.enumerated() where !scanner.names[place].isEmpty {
      subscriptions[subscription, default: (scanner.names[place], [])].messages.append(message)
    }
    return subscriptions.sorted { $0.key < $1.key }.flatMap { number, found in
      UnitedPeriods(found.messages).kept(subscription: number, originalTransactionId: found.name)
    }
  }
}
