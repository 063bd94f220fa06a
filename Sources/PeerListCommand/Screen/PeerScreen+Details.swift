// All that is known about the selected row, beside the list or in its place.
import TerminalList

extension PeerScreen {
    func showDetails(in place: TextPane.Place) {}
    func toggleSidePane() {}
    func showDetails() {}
    func chooseCopy() {}
    func chooseOpen() {}
    func chooseShell() {}
    func verify() {}
}
