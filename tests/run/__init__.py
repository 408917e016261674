"""All checks and tests in one run: `python3 -m run`, which is `make test`.

    plan        the steps: the command, the needs and the weight of each
    schedule    starts a step once its needs are there and its kind has room
    execution   one step in its process, with its log and its record
    keeper      that process: it gives the step its share, and ends with all that the step started
    record      the lines that suites write of their tests, and `recorder`, which has pytest do so
    outcome     reads them: passed and failed tests, and whether the suite came to its end
    again       the second run of failed tests, and the list of unsteady ones
    load        the load of the processors
    report      the terminal's lines and the last screen

A run begins on a machine just installed: nothing here needs more than Python's standard library,
but for `recorder`, which runs in pytest. Logs and records are in `output/test`.
"""
