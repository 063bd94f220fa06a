// A program that a test ran to its end, and what came of it.

/// The output and the exit status of a program.
package struct FinishedProcess: Sendable {
    /// The exit status; 128 and the signal's number if one ended the program.
    package let status: Int32

    /// Standard output, without the end of its last line.
    package let output: String

    /// Standard error.
    package let errors: String

    /// Runs a program, looked up in PATH.
    ///
    /// - Throws: ``LabError`` when it cannot be started or does not end in time.
    package init(
        _ arguments: [String], environment: [String: String] = [:],
        within limit: Duration = .seconds(60)
    ) async throws {
        let process = try RunningProcess(arguments, environment: environment)
        do {
            status = try await process.end(within: limit)
        } catch {
            await process.send(9)
            throw error
        }
        output = await process.lines.joined(separator: "\n")
        errors = await process.errors
    }
}
