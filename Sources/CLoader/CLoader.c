// Opens libraries at their first use.
#include "CLoader.h"

#include <dlfcn.h>

bool library_is_installed(struct LoadedLibrary *library) {
    pthread_mutex_lock(&library->lock);
    if (!library->is_tried) {
        library->is_tried = true;
        library->handle = dlopen(library->name, RTLD_NOW);
    }
    pthread_mutex_unlock(&library->lock);
    return library->handle;
}

void *library_function(struct LoadedLibrary *library, const char *name) {
    return library_is_installed(library) ? dlsym(library->handle, name) : 0;
}
