//! The processor's matrix unit (AMX), which the system grants to a process that asks for it.

use std::sync::OnceLock;

/// Whether this process may use the matrix unit for bf16: the processor has one, and the system grants it. Asked once.
pub(crate) fn is_granted() -> bool {
    static GRANTED: OnceLock<bool> = OnceLock::new();
    *GRANTED.get_or_init(|| exists() && ask())
}

/// Whether the processor says that it has tiles and products of bf16.
#[cfg(target_arch = "x86_64")]
fn exists() -> bool {
    const BF16: u32 = 1 << 22;
    const TILES: u32 = 1 << 24;
    const FEATURES: u32 = 7;
    std::arch::x86_64::__get_cpuid_max(0).0 >= FEATURES
        && std::arch::x86_64::__cpuid_count(FEATURES, 0).edx & (BF16 | TILES) == BF16 | TILES
}

#[cfg(not(target_arch = "x86_64"))]
fn exists() -> bool {
    false
}

/// Asks the system to save the unit's tiles with each thread's state, for all threads of the process.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn ask() -> bool {
    const ARCH_REQ_XCOMP_PERM: libc::c_long = 0x1023;
    const XFEATURE_XTILEDATA: libc::c_long = 18;
    // SAFETY: the call takes two numbers and touches no memory of ours.
    unsafe { libc::syscall(libc::SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0 }
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
fn ask() -> bool {
    false
}
