// Asks the kernel for its tables, and reads the messages of the answers with the macros of netlink(3) and rtnetlink(3).
#include "CNetlink.h"

#include <errno.h>
#include <limits.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// A request, and what to do with each message of the answer.
struct Dump {
    int message_type;
    size_t header_length;  // of the struct that follows the header of netlink
    // Returns whether to go on.
    bool (*receive)(const struct nlmsghdr *header, const struct Dump *dump);
    // The function of the caller, and its argument.
    union {
        bool (*neighbour)(const struct Neighbour *, void *);
        bool (*route)(const struct KernelRoute *, void *);
        void (*link)(const struct KernelLink *, void *);
    } caller;
    void *context;
};

static struct Bytes bytes_of(const struct rtattr *part) {
    return (struct Bytes){RTA_DATA(part), RTA_PAYLOAD(part)};
}

// Calls a statement for each part of a message that follows a struct.
#define FOR_EACH_PART(part, length, start, total)                                                       \
    size_t length = (total);                                                                            \
    for (const struct rtattr *part = (const struct rtattr *)(start); RTA_OK(part, length);              \
         part = RTA_NEXT(part, length))

static const char *parts_of(const struct nlmsghdr *header, const struct Dump *dump) {
    return (const char *)NLMSG_DATA(header) + NLMSG_ALIGN(dump->header_length);
}

static size_t parts_length(const struct nlmsghdr *header, const struct Dump *dump) {
    size_t used = NLMSG_SPACE(dump->header_length);
    return header->nlmsg_len > used ? header->nlmsg_len - used : 0;
}

// Reads messages until the last one, an error, or until no more are wanted; returns whether the last one was read.
static bool receive_all(int file, const struct Dump *dump) {
    _Alignas(struct nlmsghdr) char buffer[32768];  // no message of the kernel is larger
    for (;;) {
        struct sockaddr_nl sender = {0};
        socklen_t size = sizeof sender;
        ssize_t count = recvfrom(file, buffer, sizeof buffer, 0, (struct sockaddr *)&sender, &size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        if (sender.nl_pid != 0) continue;  // not the kernel
        size_t left = (size_t)count;
        for (struct nlmsghdr *header = (struct nlmsghdr *)buffer; NLMSG_OK(header, left);
             header = NLMSG_NEXT(header, left)) {
            if (header->nlmsg_type == NLMSG_DONE) return true;
            if (header->nlmsg_type == NLMSG_ERROR) return false;
            if (header->nlmsg_type != dump->message_type || header->nlmsg_len < NLMSG_LENGTH(dump->header_length)) continue;
            if (!dump->receive(header, dump)) return false;
        }
    }
}

// Requests all messages of a type; returns whether all were read.
static bool request_all(int request_type, int family, const struct Dump *dump) {
    // A socket for each call, because one whose answer was not read to its end still receives the rest.
    int file = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (file < 0) return false;
    struct {
        struct nlmsghdr header;
        struct rtgenmsg message;
        char rest[sizeof(struct ifinfomsg)];  // the largest struct of a request, in zeros
    } request = {{.nlmsg_len = NLMSG_LENGTH(dump->header_length),
                  .nlmsg_type = (unsigned short)request_type,
                  .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
                 {.rtgen_family = (unsigned char)family},
                 {0}};
    bool is_complete = send(file, &request, request.header.nlmsg_len, 0) >= 0 && receive_all(file, dump);
    close(file);
    return is_complete;
}

static bool receive_neighbour(const struct nlmsghdr *header, const struct Dump *dump) {
    const struct ndmsg *message = NLMSG_DATA(header);
    struct Neighbour neighbour = {
        .interface = message->ndm_ifindex, .state = message->ndm_state, .confirmed = UINT_MAX};
    FOR_EACH_PART(part, length, parts_of(header, dump), parts_length(header, dump)) {
        if (part->rta_type == NDA_DST) neighbour.address = bytes_of(part);
        if (part->rta_type == NDA_LLADDR) neighbour.hardware_address = bytes_of(part);
        if (part->rta_type == NDA_CACHEINFO && RTA_PAYLOAD(part) >= sizeof(struct nda_cacheinfo))
            memcpy(&neighbour.confirmed, RTA_DATA(part), sizeof neighbour.confirmed);
    }
    return dump->caller.neighbour(&neighbour, dump->context);
}

void neighbours_read(int family, bool (*receive)(const struct Neighbour *, void *), void *context) {
    struct Dump dump = {RTM_NEWNEIGH, sizeof(struct ndmsg), receive_neighbour, {.neighbour = receive}, context};
    request_all(RTM_GETNEIGH, family, &dump);
}

// Passes on a route once for each of its next hops.
static bool receive_next_hops(struct KernelRoute route, struct Bytes hops, const struct Dump *dump) {
    const struct rtnexthop *hop = (const struct rtnexthop *)hops.start;
    size_t left = hops.count;
    while (left >= sizeof *hop && hop->rtnh_len >= sizeof *hop && hop->rtnh_len <= left) {
        route.interface = hop->rtnh_ifindex;
        route.flags = hop->rtnh_flags;
        route.gateway = (struct Bytes){0};
        FOR_EACH_PART(part, length, RTNH_DATA(hop), hop->rtnh_len - sizeof *hop) {
            if (part->rta_type == RTA_GATEWAY) route.gateway = bytes_of(part);
        }
        if (!dump->caller.route(&route, dump->context)) return false;
        size_t used = RTNH_ALIGN(hop->rtnh_len);
        if (used >= left) break;
        left -= used;
        hop = (const struct rtnexthop *)((const char *)hop + used);
    }
    return true;
}

static bool receive_route(const struct nlmsghdr *header, const struct Dump *dump) {
    const struct rtmsg *message = NLMSG_DATA(header);
    struct KernelRoute route = {.type = message->rtm_type,
                                .prefix_length = message->rtm_dst_len,
                                .table = message->rtm_table,
                                .flags = message->rtm_flags};
    struct Bytes hops = {0};
    if (message->rtm_flags & RTM_F_CLONED) return true;  // a cached decision, not a route
    FOR_EACH_PART(part, length, parts_of(header, dump), parts_length(header, dump)) {
        switch (part->rta_type) {
        case RTA_DST: route.prefix = bytes_of(part); break;
        case RTA_GATEWAY: route.gateway = bytes_of(part); break;
        case RTA_MULTIPATH: hops = bytes_of(part); break;
        case RTA_OIF: memcpy(&route.interface, RTA_DATA(part), sizeof route.interface); break;
        case RTA_TABLE: memcpy(&route.table, RTA_DATA(part), sizeof route.table); break;
        // A gateway of the other family.
        case RTA_VIA:
            if (RTA_PAYLOAD(part) > 2)
                route.gateway = (struct Bytes){(const unsigned char *)RTA_DATA(part) + 2, RTA_PAYLOAD(part) - 2};
            break;
        default: break;
        }
    }
    return hops.start ? receive_next_hops(route, hops, dump) : dump->caller.route(&route, dump->context);
}

bool routes_read(int family, bool (*receive)(const struct KernelRoute *, void *), void *context) {
    struct Dump dump = {RTM_NEWROUTE, sizeof(struct rtmsg), receive_route, {.route = receive}, context};
    return request_all(RTM_GETROUTE, family, &dump);
}

static bool is_kind(const struct rtattr *part, const char *kind) {
    return RTA_PAYLOAD(part) > strlen(kind) && memcmp(RTA_DATA(part), kind, strlen(kind) + 1) == 0;
}

static bool receive_link(const struct nlmsghdr *header, const struct Dump *dump) {
    const struct ifinfomsg *message = NLMSG_DATA(header);
    struct KernelLink link = {.interface = message->ifi_index};
    FOR_EACH_PART(part, length, parts_of(header, dump), parts_length(header, dump)) {
        if (part->rta_type == IFLA_MASTER) memcpy(&link.master, RTA_DATA(part), sizeof link.master);
        if (part->rta_type != IFLA_LINKINFO) continue;
        FOR_EACH_PART(kind, rest, RTA_DATA(part), RTA_PAYLOAD(part)) {
            if (kind->rta_type != IFLA_INFO_KIND) continue;
            link.is_bridge = is_kind(kind, "bridge");
            link.is_virtual = is_kind(kind, "veth") || is_kind(kind, "tun") || is_kind(kind, "macvtap");
        }
    }
    dump->caller.link(&link, dump->context);
    return true;
}

void links_read(void (*receive)(const struct KernelLink *, void *), void *context) {
    struct Dump dump = {RTM_NEWLINK, sizeof(struct ifinfomsg), receive_link, {.link = receive}, context};
    request_all(RTM_GETLINK, AF_UNSPEC, &dump);
}
