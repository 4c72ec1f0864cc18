// Compiles only while Sources/CSlipcastXML/shim.h, copied beside it, declares libxml2's functions as libxml2 does.
#include <libxml/HTMLtree.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlsave.h>

#include "shim.h"

_Static_assert((int)slipcast_save_formatted == (int)XML_SAVE_FORMAT, "XML_SAVE_FORMAT");
_Static_assert((int)slipcast_save_as_html == (int)XML_SAVE_AS_HTML, "XML_SAVE_AS_HTML");
