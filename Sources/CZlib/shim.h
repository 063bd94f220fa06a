// zlib, which reads recordings whether they are compressed or not.
#if !__has_include(<zlib.h>)
#error "zlib is missing; install it: apt-get install zlib1g-dev"
#else
#include <zlib.h>
#endif
