// Placeholder until the list view stands.
import DiffCore
