internal import SlipcastV2
internal import SlipcastWire

/// The kind of a JSON record, according to its members.
enum RecordKind: String, CaseIterable {
  case notificationV1
  case verifyReceipt
  case notification
  case transaction
  case renewalInfo
  case appTransaction
  /// An answer with a purchase history.
  case history
  case statuses
  /// Another response of the App Store Server API that contains signed values.
  case answer

  var isLegacy: Bool { self == .notificationV1 || self == .verifyReceipt }

  /// `nil` for an object in none of Apple's formats.
  init?(_ root: JSONElement) {
    switch V2Form(root) {
    case .legacy: self = root["notification_type"] == nil ? .verifyReceipt : .notificationV1
    case .notification: self = .notification
    case .history: self = .history
    case .statuses: self = .statuses
    case .parts, .notificationHistory: self = .answer
    case .transaction: self = .transaction
    case .renewalInfo: self = .renewalInfo
    case .appTransaction: self = .appTransaction
    case .signedPayload: return nil
    case nil:
      // An answer without receipt data has little besides its status.
      let codes = 21000..<21200 as Range<Int64>
      guard let status = root["status"]?.anyInteger, status == 0 || codes.contains(status), root.children.count < 8
      else { return nil }
      self = .verifyReceipt
    }
  }
}
