// Loads libavahi-client when it is first used, because a machine without avahi-daemon may lack the library, and libdbus, on
// which the library depends. libavahi-common is linked.
#include "CAvahi.h"

#include <CLoader.h>

static struct LoadedLibrary avahi_library = LOADED_LIBRARY("libavahi-client.so.3");

bool avahi_client_is_installed(void) { return library_is_installed(&avahi_library); }

// Defines a function of libavahi-client that calls the library's.
#define AVAHI(result, name, parameters, arguments) LOADED(avahi_library, result, name, parameters, arguments)

// The interface and the address family of an object.
#define PLACE AvahiIfIndex interface, AvahiProtocol protocol

AVAHI(AvahiClient *, avahi_client_new,
      (const AvahiPoll *loop, AvahiClientFlags flags, AvahiClientCallback callback, void *context, int *error),
      (loop, flags, callback, context, error))
AVAHI(void, avahi_client_free, (AvahiClient *client), (client))
AVAHI(const char *, avahi_client_get_version_string, (AvahiClient *client), (client))
AVAHI(const char *, avahi_client_get_host_name_fqdn, (AvahiClient *client), (client))
AVAHI(AvahiClientState, avahi_client_get_state, (AvahiClient *client), (client))
AVAHI(int, avahi_client_errno, (AvahiClient *client), (client))

AVAHI(AvahiServiceTypeBrowser *, avahi_service_type_browser_new,
      (AvahiClient *client, PLACE, const char *domain, AvahiLookupFlags flags, AvahiServiceTypeBrowserCallback callback,
       void *context),
      (client, interface, protocol, domain, flags, callback, context))
AVAHI(int, avahi_service_type_browser_free, (AvahiServiceTypeBrowser *browser), (browser))
AVAHI(AvahiServiceBrowser *, avahi_service_browser_new,
      (AvahiClient *client, PLACE, const char *type, const char *domain, AvahiLookupFlags flags,
       AvahiServiceBrowserCallback callback, void *context),
      (client, interface, protocol, type, domain, flags, callback, context))
AVAHI(int, avahi_service_browser_free, (AvahiServiceBrowser *browser), (browser))
AVAHI(AvahiServiceResolver *, avahi_service_resolver_new,
      (AvahiClient *client, PLACE, const char *name, const char *type, const char *domain, AvahiProtocol family,
       AvahiLookupFlags flags, AvahiServiceResolverCallback callback, void *context),
      (client, interface, protocol, name, type, domain, family, flags, callback, context))
AVAHI(int, avahi_service_resolver_free, (AvahiServiceResolver *resolver), (resolver))
AVAHI(AvahiRecordBrowser *, avahi_record_browser_new,
      (AvahiClient *client, PLACE, const char *name, uint16_t class, uint16_t type, AvahiLookupFlags flags,
       AvahiRecordBrowserCallback callback, void *context),
      (client, interface, protocol, name, class, type, flags, callback, context))
AVAHI(int, avahi_record_browser_free, (AvahiRecordBrowser *browser), (browser))

AVAHI(AvahiEntryGroup *, avahi_entry_group_new,
      (AvahiClient *client, AvahiEntryGroupCallback callback, void *context), (client, callback, context))
AVAHI(int, avahi_entry_group_free, (AvahiEntryGroup *group), (group))
AVAHI(int, avahi_entry_group_commit, (AvahiEntryGroup *group), (group))
AVAHI(AvahiClient *, avahi_entry_group_get_client, (AvahiEntryGroup *group), (group))
AVAHI(int, avahi_entry_group_add_service_strlst,
      (AvahiEntryGroup *group, PLACE, AvahiPublishFlags flags, const char *name, const char *type, const char *domain,
       const char *host, uint16_t port, AvahiStringList *texts),
      (group, interface, protocol, flags, name, type, domain, host, port, texts))
AVAHI(int, avahi_entry_group_add_service_subtype,
      (AvahiEntryGroup *group, PLACE, AvahiPublishFlags flags, const char *name, const char *type, const char *domain,
       const char *subtype),
      (group, interface, protocol, flags, name, type, domain, subtype))
