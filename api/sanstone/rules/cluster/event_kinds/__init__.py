"""The kinds of events, by the area that the page of the manual has, too."""
