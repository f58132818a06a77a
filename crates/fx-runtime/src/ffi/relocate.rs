//! The arithmetic of x86-64 relocations. Safe code: writes only into the section it is given.
//!
//! Notation  S address of the symbol, A addend, P address of the place, L address of the symbol or of a stub that jumps
//!           to it, G address of the symbol's GOT slot.
//!
//! ```text
//! 64                 S + A          32, 32S   S + A, if it fits
//! PC32, PLT32, PC64  L + A - P      GOTPCREL, GOTPCRELX, REX_GOTPCRELX   G + A - P
//! ```

use super::elf::bad;
use crate::error::Result;
use object::elf::*;

/// One relocation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Relocation {
    /// `R_X86_64_*`.
    pub(super) kind: u32,
    /// Offset in the section.
    pub(super) offset: u64,
    /// Index of the symbol.
    pub(super) symbol: usize,
    /// A.
    pub(super) addend: i64,
}

/// The section that is patched.
pub(super) struct Place<'a> {
    /// Name of the section.
    pub(super) name: &'a str,
    /// Address of its first byte.
    pub(super) start: u64,
}

impl Relocation {
    /// Whether it refers to a GOT slot.
    pub(super) fn needs_slot(&self) -> bool {
        matches!(self.kind, R_X86_64_GOTPCREL | R_X86_64_GOTPCRELX | R_X86_64_REX_GOTPCRELX)
    }
}

/// Patches `section`. Fails when the place lies outside, the value does not fit, or the kind is not known.
pub(super) fn apply(section: &mut [u8], place: &Place<'_>, relocation: &Relocation, symbol: u64, callable: u64, slot: u64) -> Result<()> {
    let Relocation { kind, offset, addend, .. } = *relocation;
    let here = place.start.wrapping_add(offset);
    let plus = |address: u64| address.wrapping_add_signed(addend);
    let relative = |address: u64| plus(address).wrapping_sub(here) as i64;
    let name = place.name;
    let range = |value: i64| format!("section '{name}' + {offset:#x}: relocation {kind} does not fit: {value:#x}");
    let narrow = |value: i64| i32::try_from(value).or_else(|_| bad(range(value)));
    match kind {
        R_X86_64_64 => write(section, place, offset, &plus(symbol).to_le_bytes()),
        R_X86_64_PC64 => write(section, place, offset, &relative(callable).to_le_bytes()),
        R_X86_64_PC32 | R_X86_64_PLT32 => write(section, place, offset, &narrow(relative(callable))?.to_le_bytes()),
        R_X86_64_GOTPCREL | R_X86_64_GOTPCRELX | R_X86_64_REX_GOTPCRELX => {
            write(section, place, offset, &narrow(relative(slot))?.to_le_bytes())
        }
        R_X86_64_32S => write(section, place, offset, &narrow(plus(symbol) as i64)?.to_le_bytes()),
        R_X86_64_32 => match u32::try_from(plus(symbol)) {
            Ok(value) => write(section, place, offset, &value.to_le_bytes()),
            Err(_) => bad(range(plus(symbol) as i64)),
        },
        _ => bad(format!("section '{name}' + {offset:#x}: relocation of the unsupported type {kind}")),
    }
}

fn write(section: &mut [u8], place: &Place<'_>, offset: u64, value: &[u8]) -> Result<()> {
    let start = usize::try_from(offset).unwrap_or(usize::MAX);
    match start.checked_add(value.len()).and_then(|end| section.get_mut(start..end)) {
        Some(bytes) => {
            bytes.copy_from_slice(value);
            Ok(())
        }
        None => bad(format!("section '{}': a relocation at {offset:#x} lies outside", place.name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch(kind: u32, offset: u64, addend: i64) -> Result<[u8; 16]> {
        let mut section = [0; 16];
        let place = Place { name: ".text", start: 0x1000 };
        let relocation = Relocation { kind, offset, symbol: 1, addend };
        apply(&mut section, &place, &relocation, 0x7000_0000_0000, 0x3000, 0x2000)?;
        Ok(section)
    }

    #[test]
    fn formulas() {
        let word = |section: [u8; 16]| i32::from_le_bytes(section[4..8].try_into().unwrap());
        assert_eq!(word(patch(R_X86_64_PLT32, 4, -4).unwrap()), 0x3000 - 4 - 0x1004);
        assert_eq!(word(patch(R_X86_64_PC32, 4, 8).unwrap()), 0x3000 + 8 - 0x1004);
        assert_eq!(word(patch(R_X86_64_REX_GOTPCRELX, 4, -4).unwrap()), 0x2000 - 4 - 0x1004);
        let absolute = patch(R_X86_64_64, 8, 16).unwrap();
        assert_eq!(absolute[8..], 0x7000_0000_0010u64.to_le_bytes());
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        for kind in [R_X86_64_32, R_X86_64_32S] {
            let error = patch(kind, 0, 0).unwrap_err().to_string();
            assert!(error.contains("does not fit: 0x700000000000"), "{error}");
        }
        assert!(patch(R_X86_64_PC32, 0, 1 << 40).is_err());
        for offset in [13, 16, u64::MAX, u64::MAX - 3] {
            assert!(patch(R_X86_64_PC32, offset, 0).is_err(), "{offset}");
        }
        let error = patch(R_X86_64_TPOFF32, 0, 0).unwrap_err().to_string();
        assert!(error.contains("unsupported type 23"), "{error}");
    }
}
