// All that is known about the selected row, beside the list or in its place.
import TerminalList

extension PeerScreen {
    func toggleDetails() {}
    func showDetails() {}
    func chooseCopy() {}
    func chooseOpen() {}
    func verify() {}
}
