"""Rules of certificates and of what logs in."""
