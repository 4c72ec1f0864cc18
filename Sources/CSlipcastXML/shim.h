// Where libxml2 was built with ICU, its headers bring ICU's along, and Foundation has other ones of its own: a module
// that sees both does not compile. Only the inside of xmlCharEncodingHandler depends on it, which nobody here looks at.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLtree.h>
#include <libxml/tree.h>
#include <libxml/xmlsave.h>
#include <libxml/xmlwriter.h>
