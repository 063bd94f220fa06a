// libuuid, which computes the name-based UUIDs (RFC 9562, version 5).
#if !__has_include(<uuid/uuid.h>)
#error "libuuid is missing; install it: apt-get install uuid-dev"
#else
#include <uuid/uuid.h>
#endif
