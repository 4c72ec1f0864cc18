// Prints: {"notificationType":"DID_RENEW"

import Foundation
import SlipcastKit

let record = try String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8)
print(try LegacyConverter().convert(record).json.prefix(60))
