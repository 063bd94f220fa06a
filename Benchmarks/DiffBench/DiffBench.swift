// Measures DiffCore against the standard library, in one process.

@main struct DiffBench {
    static func main() {}
}
