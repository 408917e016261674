"""`sanstone-support`: the program that makes support bundles.

It is a long job's process as others are, but looks at everything: the array's resources with what
REST shows of them, too, which the reconciler has no need of.
"""
