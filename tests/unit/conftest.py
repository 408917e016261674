"""Puts this directory on the path, so that tests of all layers share the modules beside this."""
