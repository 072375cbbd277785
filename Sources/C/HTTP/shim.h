// The door to libmicrohttpd, and to the addresses that it uses. Shims exist only for what Swift can't call: a variadic function, and
// constants that are casts.

#ifndef THUMBTURN_C_HTTP_H
#define THUMBTURN_C_HTTP_H

#if !__has_include(<microhttpd.h>)
#error "The sign-in server needs the headers of libmicrohttpd. On Debian: sudo apt-get install libmicrohttpd-dev"
#endif

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <microhttpd.h>

#if MHD_VERSION < 0x00097500
#error "Thumbturn needs libmicrohttpd 0.9.75"
#endif

// What is known about a connection.

static inline int thumb_http_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}
static inline const struct sockaddr *thumb_http_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : 0;
}
// What the connection's first notification stored there.
static inline void *thumb_http_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : 0;
}
// The bytes of the request's line and headers.
static inline size_t thumb_http_header_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

#endif
