// libmosquitto, a client of MQTT brokers; and eventfd, which Swift's Glibc leaves out.
#if !__has_include(<mosquitto.h>)
#error "libmosquitto is missing; install it: apt-get install libmosquitto-dev"
#else
#if __has_feature(modules)
// First, so that glibc's own types stay Glibc's and are not taken for this module's.
#pragma clang module import SwiftGlibc
#endif
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <sys/eventfd.h>

// Whether libmosquitto is installed; it is loaded by the first call, and used only if so.
bool mosquitto_is_installed(void);
#endif
