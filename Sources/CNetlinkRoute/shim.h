// libnl-route-3, which reads the kernel's neighbour table (rtnetlink(7)).
#if !__has_include(<netlink/route/neighbour.h>)
#error "libnl-route-3 is missing; install it: apt-get install libnl-route-3-dev"
#else
// First, so that glibc's own types stay Glibc's and are not taken for this module's.
#pragma clang module import SwiftGlibc
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <netlink/netlink.h>
#include <netlink/route/neighbour.h>
#include <netlink/route/rtnl.h>
#endif
