"""The reconciler: the one writer to the machine. `state` has its manual."""
