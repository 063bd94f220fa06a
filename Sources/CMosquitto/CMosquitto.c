// Loads libmosquitto when it is first used, because it takes 2 MB of memory with OpenSSL, on which it depends.
#include "CMosquitto.h"

#include <CLoader.h>
#include <stddef.h>

static struct LoadedLibrary mosquitto_library = LOADED_LIBRARY("libmosquitto.so.1");

bool mosquitto_is_installed(void) { return library_is_installed(&mosquitto_library); }

// Defines a function of mosquitto.h that calls the library's.
#define MOSQUITTO(result, name, parameters, arguments) LOADED(mosquitto_library, result, name, parameters, arguments)

typedef struct mosquitto Client;
typedef const mosquitto_property Properties;

MOSQUITTO(int, mosquitto_lib_init, (void), ())
MOSQUITTO(Client *, mosquitto_new, (const char *id, bool clean, void *context), (id, clean, context))
MOSQUITTO(void, mosquitto_destroy, (Client *client), (client))
MOSQUITTO(void, mosquitto_user_data_set, (Client *client, void *context), (client, context))
MOSQUITTO(int, mosquitto_int_option, (Client *client, enum mosq_opt_t option, int value), (client, option, value))
MOSQUITTO(int, mosquitto_username_pw_set, (Client *client, const char *user, const char *password),
       (client, user, password))
MOSQUITTO(int, mosquitto_will_set_v5,
       (Client *client, const char *topic, int count, const void *bytes, int qos, bool retain, mosquitto_property *p),
       (client, topic, count, bytes, qos, retain, p))
MOSQUITTO(int, mosquitto_tls_set,
       (Client *client, const char *file, const char *directory, const char *certificate, const char *key,
        int (*password)(char *, int, int, void *)),
       (client, file, directory, certificate, key, password))
MOSQUITTO(int, mosquitto_tls_opts_set, (Client *client, int verification, const char *version, const char *ciphers),
       (client, verification, version, ciphers))

#define CALLBACK(name, parameters) \
    MOSQUITTO(void, name, (Client *client, void(*callback) parameters), (client, callback))

CALLBACK(mosquitto_connect_v5_callback_set, (Client *, void *, int, int, Properties *))
CALLBACK(mosquitto_disconnect_v5_callback_set, (Client *, void *, int, Properties *))
CALLBACK(mosquitto_publish_v5_callback_set, (Client *, void *, int, int, Properties *))
CALLBACK(mosquitto_message_v5_callback_set, (Client *, void *, const struct mosquitto_message *, Properties *))
CALLBACK(mosquitto_subscribe_v5_callback_set, (Client *, void *, int, int, const int *, Properties *))
CALLBACK(mosquitto_unsubscribe_v5_callback_set, (Client *, void *, int, Properties *))
CALLBACK(mosquitto_log_callback_set, (Client *, void *, int, const char *))

MOSQUITTO(int, mosquitto_connect_bind_v5,
       (Client *client, const char *host, int port, int keepalive, const char *address, Properties *p),
       (client, host, port, keepalive, address, p))
MOSQUITTO(int, mosquitto_connect_bind_async,
       (Client *client, const char *host, int port, int keepalive, const char *address),
       (client, host, port, keepalive, address))
MOSQUITTO(int, mosquitto_disconnect_v5, (Client *client, int reason, Properties *p), (client, reason, p))
MOSQUITTO(int, mosquitto_publish_v5,
       (Client *client, int *number, const char *topic, int count, const void *bytes, int qos, bool retain,
        Properties *p),
       (client, number, topic, count, bytes, qos, retain, p))
MOSQUITTO(int, mosquitto_subscribe_v5,
       (Client *client, int *number, const char *filter, int qos, int options, Properties *p),
       (client, number, filter, qos, options, p))
MOSQUITTO(int, mosquitto_unsubscribe_v5, (Client *client, int *number, const char *filter, Properties *p),
       (client, number, filter, p))
MOSQUITTO(int, mosquitto_socket, (Client *client), (client))
MOSQUITTO(bool, mosquitto_want_write, (Client *client), (client))
MOSQUITTO(int, mosquitto_loop_read, (Client *client, int count), (client, count))
MOSQUITTO(int, mosquitto_loop_write, (Client *client, int count), (client, count))
MOSQUITTO(int, mosquitto_loop_misc, (Client *client), (client))
MOSQUITTO(int, mosquitto_property_add_int32, (mosquitto_property **list, int name, uint32_t value), (list, name, value))
MOSQUITTO(void, mosquitto_property_free_all, (mosquitto_property **list), (list))
MOSQUITTO(const char *, mosquitto_strerror, (int code), (code))
MOSQUITTO(const char *, mosquitto_reason_string, (int code), (code))
