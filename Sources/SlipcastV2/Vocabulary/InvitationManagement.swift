/// Who invites the members of a multiseat purchase.
///
/// Source: App Store Server API, invitationManagement.
public enum InvitationManagement: String, CaseIterable, Hashable, Sendable {
  /// Apple; each member has a transaction.
  case apple = "APPLE"
  /// The developer, who claims seats for members; members have no transaction.
  case developer = "DEVELOPER"
}
