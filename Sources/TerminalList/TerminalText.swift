// Re-exports the characters, safe text and sizes that the interface of this module uses.
@_exported public import TerminalText
