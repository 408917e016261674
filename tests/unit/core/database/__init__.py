"""Tests of `sanstone.core.database`: a package, since other folders have such names, too."""
