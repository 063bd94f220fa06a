// The C library's own reader of DNS messages, which knows name compression and its traps.
#if !__has_include(<arpa/nameser.h>)
#error "the C library's resolver is missing; install it: apt-get install libc6-dev"
#else
#include <sys/types.h>
#include <arpa/nameser.h>
#endif
