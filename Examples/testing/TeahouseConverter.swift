import Foundation

/// A converter as a company may have written it: it supports renewals, and only the V2 fields that its ledger needs.
struct TeahouseConverter {
  /// The V2 event of a version 1 notification.
  func convert(_ legacy: Data) throws -> RenewalEvent {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let notification = try decoder.decode(LegacyNotification.self, from: legacy)
    let rows = notification.unifiedReceipt.latestReceiptInfo.sorted { $0.expires > $1.expires }
    guard let current = rows.first else { throw ConversionError.noPurchase }
    return RenewalEvent(
      notificationType: notification.notificationType, version: "2.0", signedDate: current.purchased,
      data: RenewalEvent.Data(
        bundleId: notification.bid, bundleVersion: notification.bvrs, environment: "Production",
        transactionInfo: RenewalEvent.Transaction(current, bundleId: notification.bid)))
  }

  enum ConversionError: Error {
    case noPurchase
  }
}

/// The V2 event as the ledger keeps it.
struct RenewalEvent: Encodable {
  var notificationType: String
  var version: String
  var signedDate: Date
  var data: Data

  struct Data: Encodable {
    var bundleId: String
    var bundleVersion: String
    var environment: String
    var transactionInfo: Transaction
  }

  struct Transaction: Encodable {
    var originalTransactionId: String
    var transactionId: String
    var webOrderLineItemId: String
    var bundleId: String
    var productId: String
    var subscriptionGroupIdentifier: String
    var purchaseDate: Date
    var originalPurchaseDate: Date
    var expiresDate: Date
    var quantity: Int
    var type = "Auto-Renewable Subscription"
    var inAppOwnershipType: String
    var environment = "Production"
    var transactionReason = "RENEWAL"

    fileprivate init(_ row: LegacyNotification.Row, bundleId: String) {
      self.bundleId = bundleId
      (originalTransactionId, transactionId) = (row.originalTransactionId, row.transactionId)
      (webOrderLineItemId, productId) = (row.webOrderLineItemId, row.productId)
      subscriptionGroupIdentifier = row.subscriptionGroupIdentifier
      (purchaseDate, originalPurchaseDate, expiresDate) = (row.purchased, row.originallyPurchased, row.expires)
      (quantity, inAppOwnershipType) = (Int(row.quantity) ?? 1, row.inAppOwnershipType)
    }
  }
}

/// The part of a version 1 notification that the converter reads.
private struct LegacyNotification: Decodable {
  var notificationType: String
  var bid: String
  var bvrs: String
  var unifiedReceipt: Receipt

  struct Receipt: Decodable {
    var latestReceiptInfo: [Row]
  }

  struct Row: Decodable {
    var productId: String
    var transactionId: String
    var originalTransactionId: String
    var webOrderLineItemId: String
    var subscriptionGroupIdentifier: String
    var inAppOwnershipType: String
    var quantity: String
    var purchaseDateMs: String
    var originalPurchaseDateMs: String
    var expiresDateMs: String

    var purchased: Date { Self.date(purchaseDateMs) }
    var originallyPurchased: Date { Self.date(originalPurchaseDateMs) }
    var expires: Date { Self.date(expiresDateMs) }

    private static func date(_ milliseconds: String) -> Date {
      Date(timeIntervalSince1970: (Double(milliseconds) ?? 0) / 1000)
    }
  }
}
