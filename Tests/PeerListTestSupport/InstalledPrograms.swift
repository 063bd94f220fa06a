// Tests that need a program of another project.
import Foundation
package import Testing

extension Trait where Self == ConditionTrait {
    /// Skips where a program is not installed, and says so.
    package static func needs(_ program: String) -> Self {
        let isInstalled = ["/usr/bin", "/bin", "/usr/local/bin"].contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
        }
        return .enabled(
            if: isInstalled, "\(program) is not installed; 'make test' installs it")
    }
}
