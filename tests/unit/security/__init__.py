"""Tests of `sanstone.security`; a package, since other folders have tests of these names too."""
