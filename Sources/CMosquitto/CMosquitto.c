// Loads libmosquitto when it is first used, because it takes 2 MB of memory with OpenSSL, on which it depends.
#include "CMosquitto.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static void *handle;

static void load(void) { handle = dlopen("libmosquitto.so.1", RTLD_NOW); }

static void *library(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return handle;
}

bool mosquitto_is_installed(void) { return library() != NULL; }

// Defines a function of mosquitto.h that calls the library's.
#define LOADED(result, name, parameters, arguments) \
    result name parameters { return ((result(*) parameters)dlsym(library(), #name)) arguments; }

typedef struct mosquitto Client;
typedef const mosquitto_property Properties;

LOADED(int, mosquitto_lib_init, (void), ())
LOADED(Client *, mosquitto_new, (const char *id, bool clean, void *context), (id, clean, context))
LOADED(void, mosquitto_destroy, (Client *client), (client))
LOADED(void, mosquitto_user_data_set, (Client *client, void *context), (client, context))
LOADED(int, mosquitto_int_option, (Client *client, enum mosq_opt_t option, int value), (client, option, value))
LOADED(int, mosquitto_username_pw_set, (Client *client, const char *user, const char *password),
       (client, user, password))
LOADED(int, mosquitto_will_set_v5,
       (Client *client, const char *topic, int count, const void *bytes, int qos, bool retain, mosquitto_property *p),
       (client, topic, count, bytes, qos, retain, p))
LOADED(int, mosquitto_tls_set,
       (Client *client, const char *file, const char *directory, const char *certificate, const char *key,
        int (*password)(char *, int, int, void *)),
       (client, file, directory, certificate, key, password))
LOADED(int, mosquitto_tls_opts_set, (Client *client, int verification, const char *version, const char *ciphers),
       (client, verification, version, ciphers))

#define CALLBACK(name, parameters) \
    LOADED(void, name, (Client *client, void(*callback) parameters), (client, callback))

CALLBACK(mosquitto_connect_v5_callback_set, (Client *, void *, int, int, Properties *))
CALLBACK(mosquitto_disconnect_v5_callback_set, (Client *, void *, int, Properties *))
CALLBACK(mosquitto_publish_v5_callback_set, (Client *, void *, int, int, Properties *))
CALLBACK(mosquitto_message_v5_callback_set, (Client *, void *, const struct mosquitto_message *, Properties *))
CALLBACK(mosquitto_subscribe_v5_callback_set, (Client *, void *, int, int, const int *, Properties *))
CALLBACK(mosquitto_unsubscribe_v5_callback_set, (Client *, void *, int, Properties *))
CALLBACK(mosquitto_log_callback_set, (Client *, void *, int, const char *))

LOADED(int, mosquitto_connect_bind_v5,
       (Client *client, const char *host, int port, int keepalive, const char *address, Properties *p),
       (client, host, port, keepalive, address, p))
LOADED(int, mosquitto_connect_bind_async,
       (Client *client, const char *host, int port, int keepalive, const char *address),
       (client, host, port, keepalive, address))
LOADED(int, mosquitto_disconnect_v5, (Client *client, int reason, Properties *p), (client, reason, p))
LOADED(int, mosquitto_publish_v5,
       (Client *client, int *number, const char *topic, int count, const void *bytes, int qos, bool retain,
        Properties *p),
       (client, number, topic, count, bytes, qos, retain, p))
LOADED(int, mosquitto_subscribe_v5,
       (Client *client, int *number, const char *filter, int qos, int options, Properties *p),
       (client, number, filter, qos, options, p))
LOADED(int, mosquitto_unsubscribe_v5, (Client *client, int *number, const char *filter, Properties *p),
       (client, number, filter, p))
LOADED(int, mosquitto_socket, (Client *client), (client))
LOADED(bool, mosquitto_want_write, (Client *client), (client))
LOADED(int, mosquitto_loop_read, (Client *client, int count), (client, count))
LOADED(int, mosquitto_loop_write, (Client *client, int count), (client, count))
LOADED(int, mosquitto_loop_misc, (Client *client), (client))
LOADED(int, mosquitto_property_add_int32, (mosquitto_property **list, int name, uint32_t value), (list, name, value))
LOADED(void, mosquitto_property_free_all, (mosquitto_property **list), (list))
LOADED(const char *, mosquitto_strerror, (int code), (code))
LOADED(const char *, mosquitto_reason_string, (int code), (code))
