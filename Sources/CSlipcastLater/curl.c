// Who uses only other parts of the package may not have the header.
#if defined(__linux__) && __has_include(<curl/curl.h>)

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <stdarg.h>

#include "later.h"

#define LIBRARY "libcurl.so.4"

LATER_NOTE(note, "[{\"soname\":[\"" LIBRARY "\"],\"feature\":\"network\",\"priority\":\"required\"}]");

LATER(LIBRARY, CURLcode, curl_global_init, (long flags), (flags))
LATER(LIBRARY, CURL *, curl_easy_init, (void), ())
LATER(LIBRARY, void, curl_easy_cleanup, (CURL * handle), (handle))
LATER(LIBRARY, void, curl_easy_reset, (CURL * handle), (handle))
LATER(LIBRARY, CURLcode, curl_easy_perform, (CURL * handle), (handle))
LATER(LIBRARY, const char *, curl_easy_strerror, (CURLcode code), (code))
LATER(LIBRARY, CURLM *, curl_multi_init, (void), ())
LATER(LIBRARY, CURLMcode, curl_multi_cleanup, (CURLM * set), (set))
LATER(LIBRARY, CURLMcode, curl_multi_add_handle, (CURLM * set, CURL *handle), (set, handle))
LATER(LIBRARY, CURLMcode, curl_multi_remove_handle, (CURLM * set, CURL *handle), (set, handle))
LATER(LIBRARY, CURLMcode, curl_multi_perform, (CURLM * set, int *running), (set, running))
LATER(LIBRARY, CURLMcode, curl_multi_wakeup, (CURLM * set), (set))
LATER(LIBRARY, CURLMsg *, curl_multi_info_read, (CURLM * set, int *left), (set, left))
LATER(
    LIBRARY, CURLMcode, curl_multi_poll,
    (CURLM * set, struct curl_waitfd others[], unsigned int count, int timeout_ms, int *ready),
    (set, others, count, timeout_ms, ready))
LATER(LIBRARY, struct curl_slist *, curl_slist_append, (struct curl_slist * list, const char *text), (list, text))
LATER(LIBRARY, void, curl_slist_free_all, (struct curl_slist * list), (list))

// Functions with one more argument, which is a pointer, a `long` or a `curl_off_t`: all of them are passed in one register of 64 bits.
_Static_assert(sizeof(long) == 8 && sizeof(void *) == 8 && sizeof(curl_off_t) == 8, "an argument has 64 bits");

#define LATER_WITH_ONE_MORE(type, name, handle_type, option_type)                                              \
  LATER_HIDDEN type name(handle_type handle, option_type option, ...) {                                        \
    va_list more;                                                                                              \
    va_start(more, option);                                                                                    \
    void *argument = va_arg(more, void *);                                                                     \
    va_end(more);                                                                                              \
    return ((type(*)(handle_type, option_type, ...))LATER_FOUND(LIBRARY, name))(handle, option, argument);     \
  }

LATER_WITH_ONE_MORE(CURLcode, curl_easy_setopt, CURL *, CURLoption)
LATER_WITH_ONE_MORE(CURLcode, curl_easy_getinfo, CURL *, CURLINFO)
LATER_WITH_ONE_MORE(CURLMcode, curl_multi_setopt, CURLM *, CURLMoption)

#endif
