// Prints: postgresql://user@localhost/shop

import SlipcastStores

print(try StoreLocation("postgres://user:secret@localhost/shop?table=v1_notifications"))
