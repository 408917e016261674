"""Work in processes of its own: the program `sanstone-task`, and its kinds of work."""
