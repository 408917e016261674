"""A fuzzer of the API, driven by the API's own declarations: `make fuzz`.

Sequences of requests go to the whole array in one process (`simulator`), which begins with little
on it, or with an example of everything (`furnished_array`). Most requests are sensible, so that
objects are really created, changed and deleted, and later requests use the objects of earlier ones;
the rest no honest client would send. In between the kernel refuses a step, the reconciler is
killed, the power fails.

After each request: no 5xx unless the kernel refused a step, no hang, an answer of the form that the
OpenAPI description promises, no change by a refused request, and nothing of other SVMs shown to the
account of one. After each sequence: the pools hold the volumes of the database, nothing is left to
do, and all can be deleted.

    request      one request as it is sent        values    values for a type, good and bad
    objects      the array's objects, by kind     bodies    bodies for a resource
    drawing      the next request                 array     the array, and its callers
    checks       after a request                  rest      after a sequence
    run          a sequence, and the least of it that still fails
    log          how each ended, by which a run goes on

Each sequence is a function of its seed alone, as long as Python's hashes are (PYTHONHASHSEED), by
which sets are ordered, and so the order of calls to the kernel. A failure names the seed, and the
requests that bring it about: `make fuzz SEED=<seed> RUNS=1` runs it again.
"""
