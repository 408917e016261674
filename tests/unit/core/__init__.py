"""Tests of `sanstone.core`; a package, since the kernel has a module `names` to be tested too."""
