"""What the test suite checks of the library's reliability: promises, and the tests of each."""

TESTED = {
    "any number of plies fits into a thread of 256 KB": "tests/test_deep.py",
    "what a game in Python raises comes out of the call that ran it": (
        "tests/test_python_game.py -k raises or fails or ctrl_c"
    ),
    "keys of a game in Python never collide": (
        "tests/test_python_game.py -k key or collide or goals"
    ),
    "one position may be used from several threads": (
        "tests/test_python_game.py -k threads or fail_each"
    ),
    "any two calls of a Searcher may meet; a forked child gets an error": (
        "tests/test_searcher.py -k two_calls or second_run or before_the_search or fork or close"
    ),
    "a game that breaks its contract is named, and crashes no search": "tests/test_check_game.py",
    "a killed worker loses no part of a search, and Ctrl-C ends all workers": (
        "tests/test_parallel.py"
    ),
    "bad arguments get a ValueError that names them": (
        "tests/test_arguments.py tests/test_messages.py"
    ),
    "a text is read in time that grows with its length only": "tests/test_parsers.py",
    "saved games survive Ctrl-C at any point, links, pipes and devices": "tests/test_cli_files.py",
    "Ctrl-C in the command line prints one line": "tests/test_cli_interrupt.py",
    "memory goes back to the system": "tests/test_memory.py",
    "the sweep of allocations catches planted bugs": "tests/test_allocations.py",
    "the sanitizers catch planted bugs, and find none in searches": "tests/test_sanitizer.py",
}
