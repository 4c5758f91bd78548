"""A monotonic clock that needs no GIL."""

cdef extern from *:
    """
    #if defined(_WIN32)
    #include <windows.h>
    static double clock_seconds(void) {
        LARGE_INTEGER now, rate;
        QueryPerformanceCounter(&now);
        QueryPerformanceFrequency(&rate);
        return (double)now.QuadPart / (double)rate.QuadPart;
    }
    #else
    #include <time.h>
    static double clock_seconds(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    }
    #endif
    """
    double seconds_now "clock_seconds"() noexcept nogil
