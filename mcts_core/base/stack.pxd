"""A stack of frames on the heap, so that the depth of a search is limited by memory and not by a thread's C stack.

Frames may move when one is pushed: fetch a pointer again with `stack_top` after each push.
"""
from libc.stdint cimport int64_t
from libc.stdlib cimport free, realloc

cdef struct stack_t:
    char* frames
    int64_t frame_size                  # bytes
    int64_t depth                       # frames in use
    int64_t room                        # frames there is memory for


cdef inline void stack_open(stack_t* stack, int64_t frame_size) noexcept nogil:
    """Open an empty stack, without memory yet. The size is rounded up so that any struct is aligned in a frame."""
    stack.frames, stack.depth, stack.room = NULL, 0, 0
    stack.frame_size = (frame_size + 15) // 16 * 16


cdef inline void stack_close(stack_t* stack) noexcept nogil:
    free(stack.frames)
    stack.frames, stack.depth, stack.room = NULL, 0, 0


cdef inline void* stack_top(const stack_t* stack) noexcept nogil:
    """Return the frame pushed last."""
    return stack.frames + (stack.depth - 1) * stack.frame_size


cdef inline void* stack_push(stack_t* stack) noexcept nogil:
    """Push a frame, not cleared, and return it; NULL if there is no memory."""
    cdef int64_t room
    cdef void* frames
    if stack.depth == stack.room:
        room = max(<int64_t> 16, 2 * stack.room)
        frames = realloc(stack.frames, room * stack.frame_size)
        if frames == NULL:
            return NULL
        stack.frames, stack.room = <char*> frames, room
    stack.depth += 1
    return stack_top(stack)


cdef inline void stack_pop(stack_t* stack) noexcept nogil:
    stack.depth -= 1
