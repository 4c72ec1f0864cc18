// Who uses only other parts of the package may not have the header.
#if defined(__linux__) && (__has_include(<libpq-fe.h>) || __has_include(<postgresql/libpq-fe.h>))

#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif

#include "later.h"

#define LIBRARY "libpq.so.5"

LATER_NOTE(note, "[{\"soname\":[\"" LIBRARY "\"],\"feature\":\"postgresql\",\"priority\":\"required\"}]");

LATER(LIBRARY, void, PQclear, (PGresult * result), (result))
LATER(LIBRARY, PQconninfoOption *, PQconndefaults, (void), ())
LATER(
    LIBRARY, PGconn *, PQconnectdbParams, (const char *const *names, const char *const *values, int expand),
    (names, values, expand))
LATER(LIBRARY, void, PQconninfoFree, (PQconninfoOption * options), (options))
LATER(LIBRARY, PQconninfoOption *, PQconninfoParse, (const char *text, char **error), (text, error))
LATER(LIBRARY, char *, PQerrorMessage, (const PGconn *connection), (connection))
LATER(LIBRARY, PGresult *, PQexec, (PGconn * connection, const char *query), (connection, query))
LATER(LIBRARY, void, PQfinish, (PGconn * connection), (connection))
LATER(LIBRARY, Oid, PQftype, (const PGresult *result, int column), (result, column))
LATER(LIBRARY, PGresult *, PQgetResult, (PGconn * connection), (connection))
LATER(LIBRARY, int, PQgetisnull, (const PGresult *result, int row, int column), (result, row, column))
LATER(LIBRARY, int, PQgetlength, (const PGresult *result, int row, int column), (result, row, column))
LATER(LIBRARY, char *, PQgetvalue, (const PGresult *result, int row, int column), (result, row, column))
LATER(
    LIBRARY, PGresult *, PQprepare,
    (PGconn * connection, const char *name, const char *query, int count, const Oid *types),
    (connection, name, query, count, types))
LATER(LIBRARY, int, PQputCopyData, (PGconn * connection, const char *bytes, int count), (connection, bytes, count))
LATER(LIBRARY, int, PQputCopyEnd, (PGconn * connection, const char *error), (connection, error))
LATER(LIBRARY, char *, PQresultErrorField, (const PGresult *result, int field), (result, field))
LATER(LIBRARY, ExecStatusType, PQresultStatus, (const PGresult *result), (result))
LATER(
    LIBRARY, int, PQsendQueryParams,
    (PGconn * connection, const char *command, int count, const Oid *types, const char *const *values,
     const int *lengths, const int *formats, int format),
    (connection, command, count, types, values, lengths, formats, format))
LATER(
    LIBRARY, PQnoticeProcessor, PQsetNoticeProcessor, (PGconn * connection, PQnoticeProcessor process, void *context),
    (connection, process, context))
LATER(LIBRARY, int, PQsetSingleRowMode, (PGconn * connection), (connection))
LATER(LIBRARY, ConnStatusType, PQstatus, (const PGconn *connection), (connection))

#endif
