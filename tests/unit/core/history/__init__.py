"""Tests of `sanstone.core.history`: a package, since other folders have such names, too."""
