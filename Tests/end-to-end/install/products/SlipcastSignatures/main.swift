// Prints: notification valid

import Foundation
import SlipcastSignatures

let now = Int(Date().timeIntervalSince1970 * 1000)
let identity = try TestIdentity.make()
let signed = try JWSSigner(identity: identity).sign(
  """
  {"notificationType":"TEST","version":"2.0","signedDate":\(now),"data":{"bundleId":"com.example","environment":"Sandbox"}}
  """.utf8)
var policy = VerificationPolicy()
policy.anchors = identity.anchors
let verdict = JWSVerifier(policy: policy).verify(signed)
print(verdict.kind?.rawValue ?? "unknown", verdict.refusal?.reason.rawValue ?? "valid")
