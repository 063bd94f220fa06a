// The interface of the C library's allocator: mallopt and mallinfo2.
#include <malloc.h>
