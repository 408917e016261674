"""A fuzzer of the API, driven by what the API declares of itself: `make fuzz`.

Sequences of requests go to the whole array in one process (`simulator`), which begins with little
on it, or with an example of everything (`furnished_array`). What is drawn is mostly sensible, so
that objects are really made, changed and deleted, and what one request made, later ones use; the
rest is what no honest client would send. In between the kernel refuses a step, the reconciler is
killed, the power fails.

After each request: no 5xx but for what the kernel was made to refuse, no hang, an answer of the
form that the OpenAPI description promises, nothing changed by what was refused, and nothing of
other SVMs shown to the account of one. After each sequence: the pools hold what the database says,
nothing is left to do, and all can be deleted.

    request      one request as it is sent        values    values for a type, good and bad
    objects      what there is, by kind           bodies    bodies for a resource
    drawing      the next request                 array     the array, and who calls
    checks       after a request                  rest      after a sequence
    run          a sequence, and the least of it that still fails
    log          how each ended, by which a run goes on

Each sequence is a function of its seed alone, as long as Python's hashes are (PYTHONHASHSEED), by
which sets are ordered, and so what the kernel is told first. A failure names the seed, and what is
needed of the sequence to bring it about: `make fuzz SEED=<seed> RUNS=1` runs it again.
"""
