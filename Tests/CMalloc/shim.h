// What the module hands on: mallinfo2.
#include <malloc.h>
