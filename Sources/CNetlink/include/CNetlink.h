// The kernel's neighbour table, its routes and the kinds of its interfaces, by rtnetlink(7).
#if __has_feature(modules)
// First, so that glibc's own types stay Glibc's and are not taken for this module's.
#pragma clang module import SwiftGlibc
#endif
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <stdbool.h>
#include <stddef.h>

// Bytes of a message; valid during the call that gets them.
struct Bytes {
    const unsigned char *start;  // NULL if the message lacks the part
    size_t count;
};

// An entry of the neighbour table.
struct Neighbour {
    int interface;
    unsigned state;                // NUD_REACHABLE and the like
    struct Bytes address;          // in network order
    struct Bytes hardware_address;
    unsigned confirmed;            // the time since the machine last answered, in ticks of sysconf(_SC_CLK_TCK)
};

// A route of the kernel. One with several next hops is passed on once for each.
struct KernelRoute {
    unsigned char type;            // RTN_UNICAST and the like
    unsigned char prefix_length;
    unsigned table;                // RT_TABLE_MAIN and the like
    unsigned flags;                // RTNH_F_DEAD and the like
    int interface;                 // 0 if the route has none
    struct Bytes prefix;           // in network order; missing for a default route
    struct Bytes gateway;          // missing for a network on the link
};

// Calls a function with each entry of a family, AF_INET or AF_INET6, until it returns false. Entries are left out if the
// system refuses to read them.
void neighbours_read(int family, bool (*receive)(const struct Neighbour *, void *), void *context);

// Calls a function with each route of a family, until it returns false. Returns whether all were read.
bool routes_read(int family, bool (*receive)(const struct KernelRoute *, void *), void *context);

// An interface, as a bridge or a port of one.
struct KernelLink {
    int interface;
    int master;         // the index of the bridge or bond of which the interface is a port; 0 for none
    bool is_bridge;
    bool is_virtual;    // of a container or a virtual machine: the kinds veth, tun and macvtap
};

// Calls a function with each interface.
void links_read(void (*receive)(const struct KernelLink *, void *), void *context);
