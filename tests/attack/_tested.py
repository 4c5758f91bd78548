"""Promises of reliability that the test suite checks, and the tests of each.

Paths are below `tests/`.
"""

TESTED = {
    "any number of plies fits into a thread of 256 KB": "search/test_deep.py",
    "what a game in Python raises comes out of the call that ran it": (
        "games/test_python_game.py -k raises or fails or ctrl_c"
    ),
    "keys of a game in Python never collide": (
        "games/test_python_game.py -k key or collide or goals"
    ),
    "one position may be used from several threads": (
        "games/test_python_game.py -k threads or fail_each"
    ),
    "any two calls of a Searcher may meet; a forked child gets an error": (
        "search/test_searcher.py -k two_calls or second_run or before_the_search or fork or close"
    ),
    "a game that breaks its contract is named, and crashes no search": "games/test_check_game.py",
    "a killed worker loses no part of a search, and Ctrl-C ends all workers": (
        "search/test_parallel.py"
    ),
    "bad arguments get a ValueError that names them": (
        "api/test_arguments.py api/test_messages.py"
    ),
    "a text is read in time that grows with its length only": "api/test_parsers.py",
    "saved games survive Ctrl-C at any point, links, pipes and devices": "cli/test_files.py",
    "Ctrl-C in the command line prints one line": "cli/test_interrupt.py",
    "memory goes back to the system": "search/test_memory.py",
    "the sweep of allocations catches planted bugs": "project/test_allocations.py",
    "the sanitizers catch planted bugs, and find none in searches": "project/test_sanitizer.py",
}
