//! The memory of a program without an operating system: a fixed block, handed out once.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;
use core::ptr;
use core::sync::atomic::{AtomicUsize, Ordering};

/// Enough for one run of the check, in bytes.
const BYTES: usize = 256 << 10;

#[global_allocator]
static MEMORY: Memory = Memory {
    block: UnsafeCell::new([0; BYTES]),
    used: AtomicUsize::new(0),
};

struct Memory {
    block: UnsafeCell<[u8; BYTES]>,
    /// How much of the block was handed out, from its start.
    used: AtomicUsize,
}

#[allow(unsafe_code, reason = "an allocator cannot be written without")]
// SAFETY: `used` only grows, in one atomic step, so no byte of the block is handed out twice.
unsafe impl Sync for Memory {}

#[allow(unsafe_code, reason = "an allocator cannot be written without")]
// SAFETY: what is handed out lies in the block, is aligned as asked, and is never handed out again.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let start = self.block.get().cast::<u8>();
        let next = |used: usize| {
            let free = start.wrapping_add(used);
            let place = used.checked_add(free.align_offset(layout.align()))?;
            let end = place.checked_add(layout.size())?;
            (end <= BYTES).then_some((place, end))
        };
        let grown = self
            .used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
                next(used).map(|(_, end)| end)
            });
        let place = grown.ok().and_then(next).map(|(place, _)| place);
        place.map_or(ptr::null_mut(), |place| start.wrapping_add(place))
    }

    unsafe fn dealloc(&self, _pointer: *mut u8, _layout: Layout) {}
}
