// expat, which parses the XML of SOAP messages and device descriptions.
#if !__has_include(<expat.h>)
#error "expat is missing; install it: apt-get install libexpat1-dev"
#else
#include <expat.h>
#endif
