// Functions of libraries that are opened when they are first called, so that a program runs without them.
#include <pthread.h>
#include <stdbool.h>

// A library that may not be installed, by the name that it has at run time, such as `libavahi-client.so.3`.
struct LoadedLibrary {
    const char *name;
    pthread_mutex_t lock;
    bool is_tried;
    void *handle;
};

#define LOADED_LIBRARY(name) {name, PTHREAD_MUTEX_INITIALIZER, false, 0}

// Whether the library is installed; the first call opens it.
bool library_is_installed(struct LoadedLibrary *library);

// Returns a function of an installed library by its name.
void *library_function(struct LoadedLibrary *library, const char *name);

// Defines a function of a library's header that calls the library's. It must not be called where the library is not
// installed.
#define LOADED(library, result, name, parameters, arguments) \
    result name parameters { return ((result(*) parameters)library_function(&library, #name)) arguments; }
