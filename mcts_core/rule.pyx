"""The capsule of a rule, and the Python object that keeps the rule's memory alive."""
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid, PyCapsule_New

from mcts_core.errors import BadMethod

MOST_BIASES = MOST_PHASES

cdef const char* CAPSULE_NAME = "mcts_core.rule_t"


cdef object rule_capsule(const rule_t* rule):
    """Return a capsule with the rule. The struct must live as long as the program."""
    return PyCapsule_New(<void*> rule, CAPSULE_NAME, NULL)


cdef class Rule:
    """A rule in use, and what keeps its memory alive."""


def rule_of(capsule):
    """Return the rule in a capsule, checked."""
    cdef Rule rule = Rule()
    if not PyCapsule_IsValid(capsule, CAPSULE_NAME):
        raise TypeError("a rule is a capsule made by mcts_core.rule.rule_capsule, "
                        f"not an object of type {type(capsule).__name__}")
    rule.c, rule.owner = <const rule_t*> PyCapsule_GetPointer(capsule, CAPSULE_NAME), capsule
    check_rule(rule.c)
    return rule


def has_amaf(capsule):
    """Return whether a rule uses AMAF statistics."""
    cdef Rule rule = rule_of(capsule)
    return rule.c.amaf != NO_AMAF


cdef int check_rule(const rule_t* rule) except -1:
    if rule.abi != RULE_ABI:
        raise BadMethod(f"this rule was compiled for version {rule.abi} of rule_t, and this library has "
                        f"version {RULE_ABI}: compile it again")
    if rule.score == NULL:
        raise BadMethod("a rule needs a score")
    if not (0 <= rule.n_sums <= MOST_COLUMNS and 0 <= rule.n_counts <= MOST_COLUMNS):
        raise BadMethod(f"a rule may add at most {MOST_COLUMNS} columns of sums and as many of counts, "
                        f"not {rule.n_sums} and {rule.n_counts}")
    if not 0 <= rule.amaf <= AMAF_OF_CODES:
        raise BadMethod(f"a rule's amaf is NO_AMAF, AMAF_OF_MOVES or AMAF_OF_CODES, not {<int> rule.amaf}")
    if rule.plan != NULL and rule.amaf == NO_AMAF:
        raise BadMethod("a rule that plans needs AMAF_OF_MOVES or AMAF_OF_CODES")
    if not 0 <= rule.n_phases <= MOST_PHASES:
        raise BadMethod(f"a rule may tell at most {MOST_PHASES} phases apart, not {rule.n_phases}")
    return 0
