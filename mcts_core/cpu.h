/* What the processor can do. The map is cpu.pyx. */
#ifndef MCTS_CORE_CPU_H
#define MCTS_CORE_CPU_H

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
static int cpu_has_v3(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")
        && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("fma");
}
static int cpu_has_v4(void) {
    return cpu_has_v3()
        && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq")
        && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vpopcntdq")
        && __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("avx512vbmi");
}
/* v3's playouts use PDEP for every move. Zen 1 and 2 run it in slow microcode. */
static int cpu_has_slow_pdep(void) {
    __builtin_cpu_init();
    return __builtin_cpu_is("znver1") || __builtin_cpu_is("znver2");
}
#else
static int cpu_has_v3(void) { return 0; }
static int cpu_has_v4(void) { return 0; }
static int cpu_has_slow_pdep(void) { return 0; }
#endif

#endif
