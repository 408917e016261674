"""Tasks beside the turns, in threads or processes of their own."""
