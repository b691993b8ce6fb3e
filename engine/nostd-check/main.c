/* Runs the check: a program of C with nothing of std in it. */
#include <stddef.h>

size_t gatefold_nostd_check(void);

/* core and alloc come built for unwinding; with panic=abort nothing calls these. */
void rust_eh_personality(void) {}
void _Unwind_Resume(void) {}

int main(void) { return gatefold_nostd_check() == 1 ? 0 : 1; }
