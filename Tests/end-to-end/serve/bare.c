// The fastest endpoint that libmicrohttpd allows, for comparison: reads each body and answers 200.
// With a file as argument, it appends each body and forces it to disk before it answers.
#include <fcntl.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int file = -1;

struct body {
  size_t count;
  char bytes[1 << 16];
};

static enum MHD_Result take(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                            const char *version, const char *upload, size_t *size, void **slot) {
  (void)context, (void)url, (void)method, (void)version;
  if (!*slot) return (*slot = calloc(1, sizeof(struct body))) ? MHD_YES : MHD_NO;
  struct body *body = *slot;
  if (*size) {
    if (body->count + *size < sizeof body->bytes) memcpy(body->bytes + body->count, upload, *size), body->count += *size;
    *size = 0;
    return MHD_YES;
  }
  if (file >= 0 && (write(file, body->bytes, body->count) < 0 || fsync(file) != 0)) return MHD_NO;
  struct MHD_Response *response = MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);
  enum MHD_Result result = MHD_queue_response(connection, 200, response);
  MHD_destroy_response(response);
  return result;
}

static void done(void *context, struct MHD_Connection *connection, void **slot, enum MHD_RequestTerminationCode code) {
  (void)context, (void)connection, (void)code;
  free(*slot);
  *slot = NULL;
}

int main(int count, char **words) {
  if (count > 1) file = open(words[1], O_WRONLY | O_CREAT | O_APPEND, 0600);
  struct MHD_Daemon *daemon = MHD_start_daemon(
      MHD_USE_AUTO_INTERNAL_THREAD, 0, NULL, NULL, take, NULL, MHD_OPTION_THREAD_POOL_SIZE, 2u,
      MHD_OPTION_NOTIFY_COMPLETED, done, NULL, MHD_OPTION_END);
  if (!daemon) return 1;
  printf("%d\n", MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
  fflush(stdout);
  // It is ended by its owner; a time limit in case that is gone.
  sleep(300);
  return 0;
}
