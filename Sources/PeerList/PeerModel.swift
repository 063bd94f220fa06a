// Gives who imports this library what is known of peers as well: services, peers, events and lists.
@_exported public import PeerModel
