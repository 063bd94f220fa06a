// libunistring, which takes letters apart so that they are found without regard to case and accents.
#if !__has_include(<uninorm.h>)
#error "libunistring is missing; install it: apt-get install libunistring-dev"
#else
#include <unicase.h>
#include <uninorm.h>
#include <unictype.h>

// Swift cannot take the address that this macro is.
static inline uninorm_t cunistring_nfkd(void) { return UNINORM_NFKD; }
#endif
