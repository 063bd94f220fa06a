// libavahi-core, a whole mDNS stack, and what it needs of libavahi-common.
#if !__has_include(<avahi-core/core.h>)
#error "libavahi-core is missing; install it: apt-get install libavahi-core-dev"
#else
// First, so that glibc's own types (pollfd, timeval) stay Glibc's and are not taken for this module's.
#pragma clang module import SwiftGlibc
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
#include <avahi-core/core.h>
#include <avahi-core/log.h>
#include <avahi-core/lookup.h>
#include <avahi-core/publish.h>
#include <avahi-core/rr.h>
#endif
