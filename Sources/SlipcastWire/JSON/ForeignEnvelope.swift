/// An object that is not a record of the App Store, or only contains one: recognized, so that a message can say what to do.
package struct ForeignEnvelope: Sendable {
  /// What it is, and what to do; never a value of it.
  package let words: String

  /// The members of an object of this kind, and the words of its message.
  private struct Kind {
    /// Names of members, with those inside them behind slashes; all of them are there.
    let has: [String]
    let words: String

    init(_ has: String..., is words: String) { (self.has, self.words) = (has, words) }

    init(_ has: String..., is what: String, body: String) {
      (self.has, words) = (has, "\(what); the record in it is read with --body \(body)")
    }
  }

  private static let kinds = [
    Kind(
      "unifiedReceipt",
      is: "a version 1 notification whose names are in camelCase; rename its members to Apple's names first "
        + "(notification_type, unified_receipt, latest_receipt_info)"),
    Kind("purchaseToken", is: "a record of Google Play, which is not converted"),
    Kind("subscriptionNotification", is: "a notification of Google Play, which is not converted"),
    Kind("oneTimeProductNotification", is: "a notification of Google Play, which is not converted"),
    Kind("voidedPurchaseNotification", is: "a notification of Google Play, which is not converted"),
    Kind("packageName", "testNotification", is: "a notification of Google Play, which is not converted"),
    Kind(
      "api_version", "event",
      is: "a webhook of RevenueCat, which is another format; read Apple's own notifications"),
    Kind("transactionReceipt", is: "a purchase of react-native-iap", body: "/transactionReceipt"),
    Kind(
      "transaction/appStoreReceipt", is: "a request of cordova-plugin-purchase", body: "/transaction/appStoreReceipt"),
    Kind("appStoreReceipt", is: "a purchase with its receipt", body: "/appStoreReceipt"),
    Kind(
      "verificationData/serverVerificationData", is: "a purchase of Flutter's in_app_purchase",
      body: "/verificationData/serverVerificationData"),
    Kind("message/data", "subscription", is: "a message of Google Pub/Sub", body: "/message/data"),
    Kind("Type", "Message", is: "a message of Amazon SNS", body: "/Message"),
    Kind("Records/0/body", is: "an event of Amazon SQS", body: "/Records/0/body"),
    Kind("Records/0/Sns/Message", is: "an event of Amazon SNS", body: "/Records/0/Sns/Message"),
    Kind("Records/0/kinesis/data", is: "an event of Amazon Kinesis", body: "/Records/0/kinesis/data"),
    Kind("requestContext", "body", is: "an event of Amazon API Gateway", body: "/body"),
  ]

  /// `nil` for any other value.
  package init?(_ tape: JSONTape, _ root: Int) {
    guard tape[root].kind == .object else { return nil }
    let record = JSONElement(tape: tape, index: root)
    let found = Self.kinds.first { kind in
      kind.has.allSatisfy { path in
        var value: JSONElement? = record
        for name in path.split(separator: "/") {
          value = value?.kind == .array && name == "0" ? value?.children.first : value?[String(name)]
        }
        return value.map { $0.kind != .null } ?? false
      }
    }
    guard let found else { return nil }
    words = found.words
  }
}
