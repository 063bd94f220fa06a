// Prints the web servers on the network as they arrive.
import Glibc
import PeerList

var known: Set<Peer.ID> = []
for await peers in PeerBrowser(types: ["_http._tcp"]).peers {
    for peer in peers where known.insert(peer.id).inserted {
        print(peer.name, peer.addresses.first ?? "")
        fflush(nil)  // a pipe gets the lines at once, too
    }
}
