//! Reading the parts of an ELF object that are loaded. Safe code; every size and alignment is checked.

use super::code::PAGE;
use super::elf::{File, MAX_BYTES, bad};
use crate::error::{Result, RuntimeError};
use object::elf;
use object::read::elf::{ElfSection64, FileHeader};
use object::{LittleEndian, Object as _, ObjectSection, SectionFlags};

/// Which part of the mapping a section belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    Text,
    Constants,
    Data,
}

/// A section to be loaded.
pub(super) struct Section<'a> {
    pub(super) name: String,
    pub(super) index: object::SectionIndex,
    pub(super) group: Group,
    pub(super) data: &'a [u8],
    pub(super) size: usize,
    pub(super) align: usize,
    pub(super) offset: usize,
}

/// Reads the headers. Fails unless it is a relocatable object for x86-64.
pub(super) fn parse(bytes: &[u8]) -> Result<File<'_>> {
    let malformed = |error| RuntimeError::BadObject(format!("malformed: {error}"));
    let file = File::parse(bytes).map_err(malformed)?;
    let header = file.elf_header();
    if !header.is_little_endian() {
        return bad("malformed: not little-endian");
    }
    let (machine, kind) = (header.e_machine(LittleEndian), header.e_type(LittleEndian));
    if machine != elf::EM_X86_64 || kind != elf::ET_REL {
        return bad(format!("not an x86-64 relocatable object (machine {machine}, type {kind})"));
    }
    Ok(file)
}

/// The sections to be loaded. Unwind tables and notes are left out: kernels do not unwind.
pub(super) fn sections<'a>(file: &File<'a>) -> Result<Vec<Section<'a>>> {
    let mut sections = Vec::new();
    for section in file.sections() {
        let name = section.name().unwrap_or("?").to_owned();
        let SectionFlags::Elf { sh_flags } = section.flags() else {
            continue;
        };
        let flags = sh_flags as u32;
        let skipped = name.starts_with(".eh_frame") || name.starts_with(".note");
        if flags & elf::SHF_ALLOC == 0 || skipped {
            continue;
        }
        let kind = section.elf_section_header().sh_type.get(LittleEndian);
        let writable = flags & elf::SHF_WRITE != 0;
        let executable = flags & elf::SHF_EXECINSTR != 0;
        if flags & elf::SHF_TLS != 0 || (writable && executable) {
            return bad(format!("section '{name}' is thread-local, or both writable and executable"));
        }
        if kind != elf::SHT_PROGBITS && kind != elf::SHT_NOBITS && kind != elf::SHT_X86_64_UNWIND {
            return bad(format!("section '{name}' has the unsupported type {kind}"));
        }
        let group = match (executable, writable) {
            (true, _) => Group::Text,
            (_, true) if !name.starts_with(".data.rel.ro") => Group::Data,
            _ => Group::Constants,
        };
        sections.push(read_section(&section, name, group)?);
    }
    Ok(sections)
}

fn read_section<'a>(section: &ElfSection64<'a, '_, LittleEndian>, name: String, group: Group) -> Result<Section<'a>> {
    let size = usize::try_from(section.size()).unwrap_or(usize::MAX);
    let align = usize::try_from(section.align()).unwrap_or(usize::MAX).max(1);
    if size > MAX_BYTES || align > PAGE || !align.is_power_of_two() {
        return bad(format!("section '{name}' has size {size} and alignment {align}"));
    }
    // `data` is empty for a section without bytes in the file, which stays zero
    let data = section.data().map_err(|e| RuntimeError::BadObject(format!("section '{name}': {e}")))?;
    if !data.is_empty() && data.len() != size {
        return bad(format!("section '{name}' has {} of {size} bytes", data.len()));
    }
    Ok(Section { name, index: section.index(), group, data, size, align, offset: 0 })
}
