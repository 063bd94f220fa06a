// Exports the model of peers, so that a program that finds peers imports this library alone.
@_exported public import PeerModel
