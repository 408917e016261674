"""The stages of a turn: each makes one part of the machine as it is desired."""
