"""The stages of a turn; each makes one part of the machine agree with the desired state."""
