// What is used of libxml2, declared here. Its headers lie in a folder that only pkg-config tells, and the package manager
// would ask for that in every package that depends on this one, even where nobody writes reports; and where libxml2 was
// built with ICU, they bring along headers that Foundation has others of. Tests/end-to-end/install/headers.c lays these
// declarations beside the real ones.
typedef unsigned char xmlChar;
typedef struct _xmlAttr *xmlAttrPtr;
typedef struct _xmlBuffer *xmlBufferPtr;
typedef struct _xmlDoc *xmlDocPtr;
typedef struct _xmlDtd *xmlDtdPtr;
typedef struct _xmlNode *xmlNodePtr;
typedef struct _xmlNs *xmlNsPtr;
typedef struct _xmlSaveCtxt *xmlSaveCtxtPtr;

void xmlInitParser(void);

xmlBufferPtr xmlBufferCreate(void);
const xmlChar *xmlBufferContent(const struct _xmlBuffer *buffer);
void xmlBufferFree(xmlBufferPtr buffer);

xmlDocPtr xmlNewDoc(const xmlChar *version);
xmlDocPtr htmlNewDocNoDtD(const xmlChar *uri, const xmlChar *externalId);
xmlDtdPtr xmlCreateIntSubset(
  xmlDocPtr document, const xmlChar *name, const xmlChar *externalId, const xmlChar *systemId);
xmlNodePtr xmlNewDocNode(xmlDocPtr document, xmlNsPtr space, const xmlChar *name, const xmlChar *content);
xmlNodePtr xmlDocSetRootElement(xmlDocPtr document, xmlNodePtr root);
xmlNodePtr xmlNewChild(xmlNodePtr parent, xmlNsPtr space, const xmlChar *name, const xmlChar *content);
xmlNodePtr xmlNewText(const xmlChar *content);
xmlNodePtr xmlAddChild(xmlNodePtr parent, xmlNodePtr child);
xmlAttrPtr xmlNewProp(xmlNodePtr node, const xmlChar *name, const xmlChar *value);
void xmlFreeDoc(xmlDocPtr document);

// libxml2's XML_SAVE_FORMAT and XML_SAVE_AS_HTML.
enum { slipcast_save_formatted = 1 << 0, slipcast_save_as_html = 1 << 6 };
xmlSaveCtxtPtr xmlSaveToBuffer(xmlBufferPtr buffer, const char *encoding, int options);
long xmlSaveDoc(xmlSaveCtxtPtr context, xmlDocPtr document);
int xmlSaveClose(xmlSaveCtxtPtr context);
