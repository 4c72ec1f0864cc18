// Who uses only other parts of the package may not have the header.
#if defined(__linux__) && __has_include(<microhttpd.h>)

#include <microhttpd.h>
#include <stdarg.h>

#include "later.h"

#define LIBRARY "libmicrohttpd.so.12"

LATER_NOTE(note, "[{\"soname\":[\"" LIBRARY "\"],\"feature\":\"server\",\"priority\":\"required\"}]");

LATER(
    LIBRARY, enum MHD_Result, MHD_add_response_header,
    (struct MHD_Response * response, const char *header, const char *content), (response, header, content))
LATER(
    LIBRARY, struct MHD_Response *, MHD_create_response_from_buffer,
    (size_t size, void *buffer, enum MHD_ResponseMemoryMode mode), (size, buffer, mode))
LATER(LIBRARY, void, MHD_destroy_response, (struct MHD_Response * response), (response))
LATER(
    LIBRARY, int, MHD_get_connection_values,
    (struct MHD_Connection * connection, enum MHD_ValueKind kind, MHD_KeyValueIterator take, void *context),
    (connection, kind, take, context))
LATER(
    LIBRARY, const char *, MHD_lookup_connection_value,
    (struct MHD_Connection * connection, enum MHD_ValueKind kind, const char *key), (connection, kind, key))
LATER(
    LIBRARY, enum MHD_Result, MHD_queue_response,
    (struct MHD_Connection * connection, unsigned int status, struct MHD_Response *response),
    (connection, status, response))
LATER(LIBRARY, MHD_socket, MHD_quiesce_daemon, (struct MHD_Daemon * server), (server))
LATER(LIBRARY, void, MHD_resume_connection, (struct MHD_Connection * connection), (connection))
LATER(LIBRARY, void, MHD_suspend_connection, (struct MHD_Connection * connection), (connection))
LATER(LIBRARY, void, MHD_stop_daemon, (struct MHD_Daemon * server), (server))

// What is called here has no further arguments.
LATER_HIDDEN const union MHD_ConnectionInfo *MHD_get_connection_info(
    struct MHD_Connection *connection, enum MHD_ConnectionInfoType type, ...) {
  typedef const union MHD_ConnectionInfo *(*Function)(struct MHD_Connection *, enum MHD_ConnectionInfoType, ...);
  return ((Function)LATER_FOUND(LIBRARY, MHD_get_connection_info))(connection, type);
}

LATER_HIDDEN struct MHD_Daemon *MHD_start_daemon(
    unsigned int flags, uint16_t port, MHD_AcceptPolicyCallback accept, void *accept_context,
    MHD_AccessHandlerCallback take, void *context, ...) {
  typedef struct MHD_Daemon *(*Function)(
      unsigned int, uint16_t, MHD_AcceptPolicyCallback, void *, MHD_AccessHandlerCallback, void *, va_list);
  Function start = (Function)LATER_FOUND(LIBRARY, MHD_start_daemon_va);
  va_list options;
  va_start(options, context);
  struct MHD_Daemon *server = start(flags, port, accept, accept_context, take, context, options);
  va_end(options);
  return server;
}

#endif
