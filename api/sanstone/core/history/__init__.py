"""Figures, latencies and samples of space over time, in files of their own."""
