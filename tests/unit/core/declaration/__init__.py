"""Tests of `sanstone.core.declaration`: a package, since other folders have such names, too."""
