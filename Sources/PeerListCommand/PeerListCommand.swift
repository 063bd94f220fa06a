// The executable: reads the options, wires the parts, ends with a status.

@main struct PeerListCommand {
    static func main() {}
}
