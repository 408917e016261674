"""What is done in processes of their own: the program `sanstone-task`, and its kinds of work."""
