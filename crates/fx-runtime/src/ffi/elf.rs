//! Loads x86-64 ELF relocatable objects, as LLVM makes them (position independent, small code model). Safe code.
//!
//! Layout    One mapping: text sections, then stubs for external functions (`jmp [slot]`); read-only sections, then the
//!           global offset table (GOT); writable sections. Each group starts on a page. After relocation the text may run
//!           and not be written, the read-only group neither.
//! Limits    Relocations `R_X86_64_` 64, 32, 32S, PC32, PC64, PLT32, GOTPCREL, GOTPCRELX, REX_GOTPCRELX. No thread-local
//!           or common symbols, no initialisers. Anything else is an error that names it.
//! Invariant An object is input: every offset and size is checked, so loading writes only inside its mapping.

use super::code::{Code, Entry, PAGE, WritableCode};
use super::externals;
use super::relocate::{Place, Relocation, apply};
use super::sections::{Group, Section, parse, sections};
use crate::error::{Result, RuntimeError};
use object::elf;
use object::read::elf::{ElfFile64, ElfSymbol64};
use object::{
    LittleEndian, Object as _, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget, SymbolIndex, SymbolKind, SymbolSection,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// More than any object has; bounds what a hostile one makes us map.
pub(super) const MAX_BYTES: usize = 1 << 30;
/// Bytes of a stub: `jmp [rip + disp32]` and padding.
const STUB: usize = 8;
/// Bytes of a GOT slot.
const SLOT: usize = 8;

pub(super) type File<'a> = ElfFile64<'a, LittleEndian>;

/// What a symbol stands for.
#[derive(Debug, Clone, Copy)]
enum Target {
    /// A place in a loaded section: its position in the list, and the offset in it.
    Local { section: usize, offset: usize },
    /// A function of the process: its address.
    External { address: u64 },
}

/// A loaded object.
pub(crate) struct Object {
    code: Code,
    functions: HashMap<String, usize>,
}

pub(super) fn bad<T>(message: impl Into<String>) -> Result<T> {
    Err(RuntimeError::BadObject(message.into()))
}

impl Object {
    /// Loads an object. Fails when it is malformed, uses what the module does not know, or calls unknown functions.
    pub(crate) fn load(bytes: &[u8]) -> Result<Object> {
        let file = parse(bytes)?;
        let mut loader = Loader { sections: sections(&file)?, ..Loader::default() };
        loader.read_relocations(&file)?;
        let functions = loader.functions(&file);
        let plan = loader.lay_out()?;
        loader.build(&plan, functions)
    }

    /// The function with this name; none when the object does not define it.
    pub(crate) fn function(&self, name: &str) -> Option<Entry> {
        self.code.entry(*self.functions.get(name)?)
    }
}

/// Offsets of everything in the mapping.
struct Plan {
    stubs: usize,
    constants: usize,
    got: usize,
    data: usize,
    end: usize,
}

#[derive(Default)]
struct Loader<'a> {
    sections: Vec<Section<'a>>,
    relocations: Vec<(usize, Relocation)>,
    targets: BTreeMap<usize, Target>,
    /// Symbols with a stub, in order: calls of external functions.
    stubs: Vec<usize>,
    /// Symbols with a GOT slot, in order.
    slots: Vec<usize>,
}

impl<'a> Loader<'a> {
    /// Reads and resolves all relocations of loaded sections.
    fn read_relocations(&mut self, file: &File<'a>) -> Result<()> {
        let mut unknown = BTreeSet::new();
        let (mut stubs, mut slots) = (BTreeSet::new(), BTreeSet::new());
        for position in 0..self.sections.len() {
            let section = file.section_by_index(self.sections[position].index);
            let section = section.map_err(|e| RuntimeError::BadObject(e.to_string()))?;
            for (offset, relocation) in section.relocations() {
                let name = &self.sections[position].name;
                let RelocationFlags::Elf { r_type } = relocation.flags() else {
                    return bad(format!("section '{name}': a relocation that is not of ELF"));
                };
                if r_type == elf::R_X86_64_NONE {
                    continue;
                }
                let RelocationTarget::Symbol(symbol) = relocation.target() else {
                    return bad(format!("section '{name}': a relocation without a symbol"));
                };
                if relocation.has_implicit_addend() {
                    return bad(format!("section '{name}': relocations without addends"));
                }
                let target = match self.resolve(file, symbol)? {
                    Ok(target) => target,
                    Err(name) => {
                        unknown.insert(name);
                        continue;
                    }
                };
                let relocation = Relocation { kind: r_type, offset, symbol: symbol.0, addend: relocation.addend() };
                if matches!(target, Target::External { .. }) {
                    stubs.insert(symbol.0);
                    slots.insert(symbol.0);
                }
                if relocation.needs_slot() {
                    slots.insert(symbol.0);
                }
                self.relocations.push((position, relocation));
            }
        }
        if !unknown.is_empty() {
            return Err(RuntimeError::UnknownExternals(unknown.into_iter().collect()));
        }
        (self.stubs, self.slots) = (stubs.into_iter().collect(), slots.into_iter().collect());
        Ok(())
    }

    /// What a symbol stands for, or the name of a function that nobody has.
    fn resolve(&mut self, file: &File<'a>, index: SymbolIndex) -> Result<Result<Target, String>> {
        if let Some(target) = self.targets.get(&index.0) {
            return Ok(Ok(*target));
        }
        let symbol = file.symbol_by_index(index).map_err(|e| RuntimeError::BadObject(e.to_string()))?;
        let name = symbol.name().unwrap_or("?");
        let target = match symbol.section() {
            SymbolSection::Undefined => match externals::address(name) {
                Some(address) => Target::External { address },
                None => return Ok(Err(name.to_owned())),
            },
            _ => self.local(&symbol)?,
        };
        self.targets.insert(index.0, target);
        Ok(Ok(target))
    }

    fn local(&self, symbol: &ElfSymbol64<'a, '_, LittleEndian>) -> Result<Target> {
        let name = symbol.name().unwrap_or("?");
        let kind = symbol.elf_symbol().st_info & 0xf;
        if kind == elf::STT_TLS || kind == elf::STT_GNU_IFUNC {
            return bad(format!("symbol '{name}' is thread-local or indirect"));
        }
        let SymbolSection::Section(index) = symbol.section() else {
            return bad(format!("symbol '{name}' is not in a section: {:?}", symbol.section()));
        };
        let Some(section) = self.sections.iter().position(|section| section.index == index) else {
            return bad(format!("symbol '{name}' is in a section that is not loaded"));
        };
        let size = self.sections[section].size;
        match usize::try_from(symbol.address()) {
            Ok(offset) if offset <= size => Ok(Target::Local { section, offset }),
            _ => bad(format!("symbol '{name}' lies outside its section")),
        }
    }

    /// Named functions in text sections: position of the section and offset.
    fn functions(&self, file: &File<'a>) -> Vec<(String, usize, usize)> {
        let mut functions = Vec::new();
        for symbol in file.symbols() {
            if symbol.kind() != SymbolKind::Text || !symbol.is_definition() {
                continue;
            }
            let Ok(Target::Local { section, offset }) = self.local(&symbol) else {
                continue;
            };
            let home = &self.sections[section];
            if home.group == Group::Text && offset < home.size {
                functions.push((symbol.name().unwrap_or("?").to_owned(), section, offset));
            }
        }
        functions
    }

    /// Gives every section its offset.
    fn lay_out(&mut self) -> Result<Plan> {
        let mut end = self.lay_out_group(Group::Text, 0)?.next_multiple_of(16);
        let stubs = end;
        end = (end + self.stubs.len() * STUB).next_multiple_of(PAGE);
        let constants = end;
        end = self.lay_out_group(Group::Constants, end)?.next_multiple_of(SLOT);
        let got = end;
        end = (end + self.slots.len() * SLOT).next_multiple_of(PAGE);
        let data = end;
        end = self.lay_out_group(Group::Data, end)?;
        if end > MAX_BYTES {
            return bad(format!("{end} bytes of code and data (at most {MAX_BYTES})"));
        }
        Ok(Plan { stubs, constants, got, data, end })
    }

    fn lay_out_group(&mut self, group: Group, start: usize) -> Result<usize> {
        let mut end = start;
        for section in self.sections.iter_mut().filter(|section| section.group == group) {
            section.offset = end.next_multiple_of(section.align);
            end = section.offset + section.size; // each at most MAX_BYTES, checked on every turn
            if end > MAX_BYTES {
                return bad(format!("more than {MAX_BYTES} bytes of code and data"));
            }
        }
        Ok(end)
    }

    /// Maps, copies, relocates and seals.
    fn build(&self, plan: &Plan, functions: Vec<(String, usize, usize)>) -> Result<Object> {
        let system = |error: std::io::Error| RuntimeError::BadObject(format!("mapping code: {error}"));
        let mut memory = WritableCode::new(plan.end).map_err(system)?;
        let base = memory.address();
        let bytes = memory.bytes();
        for section in &self.sections {
            bytes[section.offset..][..section.data.len()].copy_from_slice(section.data);
        }
        for (position, symbol) in self.slots.iter().enumerate() {
            let address = self.address(base, *symbol);
            bytes[plan.got + position * SLOT..][..SLOT].copy_from_slice(&address.to_le_bytes());
        }
        for (position, symbol) in self.stubs.iter().enumerate() {
            let (stub, slot) = (plan.stubs + position * STUB, self.slot(plan, *symbol));
            // jmp [rip + disp32]; the mapping is smaller than 2 GiB
            let displacement = (slot as i64 - (stub as i64 + 6)) as i32;
            bytes[stub..][..2].copy_from_slice(&[0xff, 0x25]);
            bytes[stub + 2..][..4].copy_from_slice(&displacement.to_le_bytes());
        }
        for (position, relocation) in &self.relocations {
            let section = &self.sections[*position];
            let place = Place { name: &section.name, start: base + section.offset as u64 };
            let symbol = relocation.symbol;
            apply(
                &mut bytes[section.offset..][..section.size],
                &place,
                relocation,
                self.address(base, symbol),
                self.callable(base, plan, symbol),
                base + self.slot(plan, symbol) as u64,
            )?;
        }
        let functions = (functions.into_iter()).map(|(name, section, offset)| (name, self.sections[section].offset + offset)).collect();
        let code = memory.seal(0..plan.constants, plan.constants..plan.data).map_err(system)?;
        Ok(Object { code, functions })
    }

    /// The address of a symbol that was resolved.
    fn address(&self, base: u64, symbol: usize) -> u64 {
        match self.targets.get(&symbol) {
            Some(Target::Local { section, offset }) => base + (self.sections[*section].offset + offset) as u64,
            Some(Target::External { address }) => *address,
            None => 0,
        }
    }

    /// An address within reach: of the symbol, or of its stub.
    fn callable(&self, base: u64, plan: &Plan, symbol: usize) -> u64 {
        match self.stubs.binary_search(&symbol) {
            Ok(position) => base + (plan.stubs + position * STUB) as u64,
            Err(_) => self.address(base, symbol),
        }
    }

    /// The offset of a symbol's GOT slot; only asked for symbols that have one.
    fn slot(&self, plan: &Plan, symbol: usize) -> usize {
        plan.got + self.slots.binary_search(&symbol).unwrap_or(0) * SLOT
    }
}
