"""Resources of `cluster/`, `svm/` and `support/`: the array as a whole."""
