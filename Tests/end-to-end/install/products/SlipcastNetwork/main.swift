// Prints: 4040010

import SlipcastNetwork

print(ServerErrorCode.transactionIdNotFound.rawValue)
