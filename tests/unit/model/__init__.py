"""Tests of `sanstone.model`; a package, since other folders have tests of these names too."""
