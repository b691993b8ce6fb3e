//! Proof that the engine needs no std, and that nothing it links does.
//!
//! This static library brings its own panic handler. std brings one too, and a program can have
//! only one: if the engine or any crate it links pulls std in, the build stops with a duplicate
//! `panic_impl`. A build of the engine alone proves nothing, since its `no_std` attribute says
//! nothing of its dependencies.
//!
//! What is not referenced may not be linked. So [`gatefold_nostd_check`] reaches for one public
//! item of each machine of the engine: add a term to its sum when a machine is added.
#![no_std]
#![deny(unsafe_code)]

use core::alloc::{GlobalAlloc, Layout};
use core::hint::black_box;
use core::panic::PanicInfo;

/// Has nothing to give. The library is built and never run, so an allocator needs only to exist.
struct NoMemory;

#[allow(unsafe_code, reason = "an allocator cannot be written without")]
// SAFETY: `alloc` always reports failure, which its contract allows; `dealloc` is therefore never
// called with a pointer from here.
unsafe impl GlobalAlloc for NoMemory {
    unsafe fn alloc(&self, _layout: Layout) -> *mut u8 {
        core::ptr::null_mut()
    }

    unsafe fn dealloc(&self, _pointer: *mut u8, _layout: Layout) {}
}

#[global_allocator]
static MEMORY: NoMemory = NoMemory;

#[panic_handler]
fn on_panic(_info: &PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}

/// Refers to the engine's public items.
#[allow(unsafe_code, reason = "an exported name cannot be had without")]
// SAFETY: no other symbol of this name is linked; the library stands alone.
#[unsafe(no_mangle)]
pub extern "C" fn gatefold_nostd_check() -> usize {
    [black_box(gatefold::limits::ARGS_BYTES_MAX)].iter().sum()
}
