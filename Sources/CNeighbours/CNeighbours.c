// Asks the kernel for its neighbour table, and reads the messages of the answer with the macros of netlink(3) and
// rtnetlink(3).
#include "CNeighbours.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <unistd.h>

// Passes one message on if it is an entry; returns whether to go on.
static bool receive_message(struct nlmsghdr *header, bool (*receive)(const struct Neighbour *, void *), void *context) {
    if (header->nlmsg_type != RTM_NEWNEIGH || header->nlmsg_len < NLMSG_LENGTH(sizeof(struct ndmsg))) return true;
    struct ndmsg *message = NLMSG_DATA(header);
    struct Neighbour neighbour = {.interface = message->ndm_ifindex, .state = message->ndm_state};
    size_t length = header->nlmsg_len - NLMSG_LENGTH(sizeof *message);
    struct rtattr *part = (struct rtattr *)((char *)message + NLMSG_ALIGN(sizeof *message));
    for (; RTA_OK(part, length); part = RTA_NEXT(part, length)) {
        if (part->rta_type == NDA_DST) {
            neighbour.address = RTA_DATA(part);
            neighbour.address_length = RTA_PAYLOAD(part);
        } else if (part->rta_type == NDA_LLADDR) {
            neighbour.hardware_address = RTA_DATA(part);
            neighbour.hardware_address_length = RTA_PAYLOAD(part);
        }
    }
    return receive(&neighbour, context);
}

// Reads messages until the last one, an error, or until no more are wanted.
static void receive_all(int file, bool (*receive)(const struct Neighbour *, void *), void *context) {
    _Alignas(struct nlmsghdr) char buffer[32768];  // no message of the kernel is larger
    for (;;) {
        struct sockaddr_nl sender = {0};
        socklen_t size = sizeof sender;
        ssize_t count = recvfrom(file, buffer, sizeof buffer, 0, (struct sockaddr *)&sender, &size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;
        if (sender.nl_pid != 0) continue;  // not the kernel
        size_t left = (size_t)count;
        for (struct nlmsghdr *header = (struct nlmsghdr *)buffer; NLMSG_OK(header, left);
             header = NLMSG_NEXT(header, left)) {
            if (header->nlmsg_type == NLMSG_DONE || header->nlmsg_type == NLMSG_ERROR ||
                !receive_message(header, receive, context))
                return;
        }
    }
}

void neighbours_read(int family, bool (*receive)(const struct Neighbour *, void *), void *context) {
    // A socket for each call, because one whose answer was not read to its end still receives the rest.
    int file = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (file < 0) return;
    struct {
        struct nlmsghdr header;
        struct ndmsg message;
    } request = {{.nlmsg_len = NLMSG_LENGTH(sizeof request.message),
                  .nlmsg_type = RTM_GETNEIGH,
                  .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
                 {.ndm_family = (unsigned char)family}};
    if (send(file, &request, request.header.nlmsg_len, 0) >= 0) receive_all(file, receive, context);
    close(file);
}
