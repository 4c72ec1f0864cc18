// Prints: unknown unrecognized

import SlipcastKit
import SlipcastReceipts
import SlipcastSignatures

let verifier = RecordVerifier(policy: VerificationPolicy(), rules: try RuleSet.builtIn())
for verdict in verifier.verify(Array("bm8gcmVjZWlwdA==".utf8)) {
  print(verdict.kind?.rawValue ?? "unknown", verdict.refusal?.reason.rawValue ?? "valid")
}
