#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "strict.h"

// Swift cannot call functions with a variable number of arguments.

#if MHD_VERSION < 0x01000000
#define SLIPCAST_MHD_STRICT MHD_OPTION_STRICT_FOR_CLIENT
#else
#define SLIPCAST_MHD_STRICT MHD_OPTION_CLIENT_DISCIPLINE_LVL
#endif

typedef struct {
  int socket;
  unsigned int threads;
  unsigned int connections, connections_per_address;
  size_t head_bytes;
  // PEM texts; NULL without TLS.
  const char *certificate, *key;
} SlipcastListener;

static inline struct MHD_Daemon *slipcast_mhd_start(
    const SlipcastListener *listener, MHD_AccessHandlerCallback take, MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback connected, MHD_LogCallback log, void *context) {
  unsigned int flags = MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
  struct MHD_OptionItem tls[] = {
      {listener->certificate ? MHD_OPTION_HTTPS_MEM_CERT : MHD_OPTION_END, 0, (void *)listener->certificate},
      {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)listener->key},
      {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"},
      {MHD_OPTION_END, 0, NULL}};
  if (listener->certificate) flags |= MHD_USE_TLS;
  return MHD_start_daemon(
      flags, 0, NULL, NULL, take, context, MHD_OPTION_EXTERNAL_LOGGER, log, context, MHD_OPTION_LISTEN_SOCKET, (MHD_socket)listener->socket,
      MHD_OPTION_THREAD_POOL_SIZE, listener->threads, MHD_OPTION_CONNECTION_LIMIT, listener->connections,
      MHD_OPTION_PER_IP_CONNECTION_LIMIT, listener->connections_per_address, SLIPCAST_MHD_STRICT, 1,
      MHD_OPTION_URI_LOG_CALLBACK, slipcast_mhd_uri, NULL, MHD_OPTION_CONNECTION_MEMORY_LIMIT, listener->head_bytes, MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_NOTIFY_CONNECTION, connected, context, MHD_OPTION_ARRAY, tls, MHD_OPTION_END);
}

// A listening socket for a numeric host, and its port; a negative number of an error.
static inline int slipcast_mhd_listen(const char *host, const char *port, int *actual) {
  struct addrinfo hints, *found = NULL;
  memset(&hints, 0, sizeof hints);
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  if (getaddrinfo(host, port, &hints, &found) != 0 || !found) return -EADDRNOTAVAIL;
  int handle = socket(found->ai_family, SOCK_STREAM, 0), one = 1, error = 0;
  struct sockaddr_storage bound;
  socklen_t length = sizeof bound;
  if (handle < 0 || setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) != 0 ||
      bind(handle, found->ai_addr, found->ai_addrlen) != 0 || listen(handle, 1024) != 0 ||
      getsockname(handle, (struct sockaddr *)&bound, &length) != 0)
    error = errno;
  freeaddrinfo(found);
  if (error != 0) {
    if (handle >= 0) close(handle);
    return -error;
  }
  *actual = ntohs(
      bound.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&bound)->sin6_port
                                  : ((struct sockaddr_in *)&bound)->sin_port);
  return handle;
}

// The value of a header; NULL without one.
static inline const char *slipcast_mhd_header(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

// Passes names and values behind the question mark, decoded, to a function.
static inline void slipcast_mhd_arguments(struct MHD_Connection *connection, MHD_KeyValueIterator take, void *context) {
  MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, take, context);
}

static inline int slipcast_mhd_is_start(enum MHD_ConnectionNotificationCode code) {
  return code == MHD_CONNECTION_NOTIFY_STARTED;
}

static inline void slipcast_mhd_close(int socket) { close(socket); }

// Ends a connection, which libmicrohttpd then sees and closes.
//
// Answers that the client does not read lie in the system's memory. A normal end would wait behind them for minutes, and
// the client would not see it; they are dropped.
static inline void slipcast_mhd_end(int socket) {
  int unsent = 0;
#if defined(SO_NWRITE)
  socklen_t size = sizeof unsent;
  if (getsockopt(socket, SOL_SOCKET, SO_NWRITE, &unsent, &size) != 0) unsent = 0;
#else
  if (ioctl(socket, TIOCOUTQ, &unsent) != 0) unsent = 0;
#endif
  struct linger drop = {1, 0};
  if (unsent > 0) setsockopt(socket, SOL_SOCKET, SO_LINGER, &drop, sizeof drop);
  shutdown(socket, SHUT_RDWR);
}

// The socket of a connection; -1 when it is unknown.
static inline int slipcast_mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? (int)info->connect_fd : -1;
}

// The numeric address of the client; not 0 when it is unknown.
static inline int slipcast_mhd_client(struct MHD_Connection *connection, char *text, unsigned int size) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  if (!info || !info->client_addr) return -1;
  socklen_t length =
      info->client_addr->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
  return getnameinfo(info->client_addr, length, text, size, NULL, 0, NI_NUMERICHOST);
}

static inline struct MHD_Response *slipcast_mhd_response(const void *bytes, size_t count) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}
