"""The formulas as Python functions. They call the code that the searches run (select.pxd)."""
from libc.math cimport log

from mcts_core.search cimport select


def ucb1(double mean, double visits, double total, double c=0.4):
    return select.ucb1(mean, visits, log(total), c)


def ucb_tuned(double mean, double mean_square, double visits, double total):
    return select.ucb_tuned(mean, mean_square, visits, log(total))


def ucb_bayes(double wins, double visits, double total, double c=0.4):
    return select.ucb_bayes(wins, visits, log(total), c)


def kl_ucb(double mean, double visits, double total, double c=0.4):
    return select.kl_ucb(mean, visits, log(total), c)


def beta_mse(double n, double amaf_n, double bias=1e-5):
    return select.beta_mse(n, amaf_n, bias)


def beta_heuristic(double n, double amaf_n):
    return select.beta_heuristic(n, amaf_n)


def beta_hand(double total, double k=1000.0):
    return select.beta_hand(total, k)


def beta_from(double variance, double amaf_variance, double bias_squared):
    return select.beta_from(variance, amaf_variance, bias_squared)


def variance_of_mean(double wins, double n):
    return select.variance_of_mean(wins, n)
