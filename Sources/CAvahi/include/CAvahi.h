// libavahi-client and what it needs of libavahi-common; and eventfd, which Swift's Glibc leaves out.
#if !__has_include(<avahi-client/client.h>)
#error "libavahi-client is missing; install it: apt-get install libavahi-client-dev"
#else
#if __has_feature(modules)
// First, so that glibc's own types (pollfd, timeval) stay Glibc's and are not taken for this module's.
#pragma clang module import SwiftGlibc
#endif
#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>
#include <avahi-common/address.h>
#include <avahi-common/alternative.h>
#include <avahi-common/defs.h>
#include <avahi-common/domain.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/simple-watch.h>
#include <avahi-common/strlst.h>
#include <avahi-common/timeval.h>
#include <avahi-common/watch.h>
#include <stdbool.h>
#include <sys/eventfd.h>

// Whether libavahi-client is installed; it is loaded by the first call, and used only if so.
bool avahi_client_is_installed(void);
#endif
