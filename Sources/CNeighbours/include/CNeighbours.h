// The kernel's neighbour table, by rtnetlink(7).
#if __has_feature(modules)
// First, so that glibc's own types stay Glibc's and are not taken for this module's.
#pragma clang module import SwiftGlibc
#endif
#include <linux/neighbour.h>
#include <stdbool.h>
#include <stddef.h>

// An entry of the table; the addresses are valid during the call that gets it.
struct Neighbour {
    int interface;
    unsigned state;  // NUD_REACHABLE and the like
    const unsigned char *address;  // in network order; NULL if the entry has none
    size_t address_length;
    const unsigned char *hardware_address;  // NULL if the entry has none
    size_t hardware_address_length;
};

// Calls a function with each entry of a family, AF_INET or AF_INET6, until it returns false. Entries are left out if the
// system refuses to read them.
void neighbours_read(int family, bool (*receive)(const struct Neighbour *, void *), void *context);
