"""Ways to tell other machines of events: syslog, mail and HTTP, in the clear or by TLS."""
