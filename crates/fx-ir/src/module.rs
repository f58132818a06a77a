//! Contexts and modules.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use melior::Context;
use melior::dialect::DialectRegistry;
use mlir_sys::*;

use crate::diagnostics::emit_error;
use crate::raw::string_ref;
use crate::text::index_array;
use crate::{Attribute, Block, Builder, Location, Op, Type};

/// How MLIR names a text without a file.
const TEXT: &str = "-";

/// A context that knows fx and every upstream dialect; dialects load when first used.
pub fn new_context(threads: bool) -> Context {
    // The registry is shared: building one costs more than a context.
    struct Shared(DialectRegistry);
    // SAFETY: after construction the registry is only read.
    unsafe impl Send for Shared {}
    // SAFETY: as above.
    unsafe impl Sync for Shared {}
    static REGISTRY: OnceLock<Shared> = OnceLock::new();
    let registry = REGISTRY.get_or_init(|| {
        let registry = DialectRegistry::new();
        // SAFETY: the registry is alive; the function only adds to it.
        unsafe { fx_sys::fxRegisterDialects(registry.to_raw()) };
        Shared(registry)
    });
    let context = Context::new_with_registry(&registry.0, threads);
    for name in ["fx", "func", "arith", "math", "tensor", "linalg", "scf", "memref", "vector"] {
        context.get_or_load_dialect(name);
    }
    context
}

/// A context that nobody uses.
struct Spare(Context);
// SAFETY: a context without threads of its own belongs to whoever holds it, on whatever thread.
unsafe impl Send for Spare {}

/// At most one, and how often one was kept since one was dropped.
static SPARE: Mutex<(Option<Spare>, u32)> = Mutex::new((None, 0));
/// So often one is kept: what a context has uniqued stays.
const MOST_KEPT: u32 = 8;

/// Keeps a context without threads for [`spare_context`]: one that has only read a program is as good as a new one, which takes
/// a tenth of the time of a small program's compilation.
pub fn keep_context(context: Context) {
    let mut spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
    let dropped = if spare.1 < MOST_KEPT {
        spare.1 += 1;
        spare.0.replace(Spare(context))
    } else {
        spare.1 = 0;
        Some(Spare(context))
    };
    drop(spare); // before the context, which takes time
    drop(dropped);
}

/// A context without threads: the one that was kept, or else a new one.
pub fn spare_context() -> Context {
    let spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner).0.take();
    spare.map_or_else(|| new_context(false), |Spare(context)| context)
}

/// melior's view of a context that somebody owns.
///
/// melior has no borrowed context that is `&Context`, only a reference into a `ContextRef`; one such cell per address is
/// kept for good (a few bytes), and is right again for a later context at the same address.
///
/// # Safety
/// `raw` must be a live context that outlives `'c`.
pub(crate) unsafe fn context_of<'c>(raw: MlirContext) -> &'c Context {
    thread_local! {
        static CELLS: RefCell<HashMap<usize, &'static melior::ContextRef<'static>>> = RefCell::default();
    }
    let cell = CELLS.with_borrow_mut(|cells| {
        // SAFETY: the cell only names the context; it is used while the caller's context lives.
        *cells.entry(raw.ptr as usize).or_insert_with(|| Box::leak(Box::new(unsafe { melior::ContextRef::from_raw(raw) })))
    });
    // SAFETY: the caller promises that the context outlives `'c`.
    unsafe { cell.to_ref() }
}

/// A module, owned.
pub struct Module<'c> {
    raw: MlirModule,
    context: &'c Context,
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: the module is owned and alive.
        unsafe { mlirModuleDestroy(self.raw) }
    }
}

impl<'c> Module<'c> {
    /// An empty module.
    pub fn new(context: &'c Context, location: Location<'c>) -> Self {
        // SAFETY: the location is alive.
        Self { raw: unsafe { mlirModuleCreateEmpty(location.raw()) }, context }
    }

    /// Parses MLIR text; none if it is wrong, which was reported as a diagnostic.
    pub fn parse(context: &'c Context, text: &str) -> Option<Self> {
        if let Some((line, column)) = index_array(text) {
            let place = Location::file(context, TEXT, line, column);
            emit_error(place, "an array attribute has elements of an integer or float type, not of index", &[]);
            return None;
        }
        // SAFETY: the context is alive, the text is borrowed during the call; failure is null.
        let raw = unsafe { mlirModuleCreateParse(context.to_raw(), string_ref(text)) };
        (!raw.ptr.is_null()).then_some(Self { raw, context })
    }

    /// The `builtin.module` op.
    pub fn op(&self) -> Op<'c> {
        // SAFETY: the module is alive as long as `self`.
        unsafe { Op::from_raw(mlirModuleGetOperation(self.raw)) }
    }

    /// Its block.
    pub fn body(&self) -> Block<'c> {
        // SAFETY: the module is alive as long as `self`.
        unsafe { Block::from_raw(mlirModuleGetBody(self.raw)) }
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// A copy.
    pub fn duplicate(&self) -> Module<'c> {
        // SAFETY: the module is alive; the clone of a module op is a module op, owned by the result.
        Self { raw: unsafe { mlirModuleFromOperation(mlirOperationClone(self.op().raw())) }, context: self.context }
    }

    /// The function with this name.
    pub fn function(&self, name: &str) -> Option<Op<'c>> {
        self.body().ops().into_iter().find(|op| op.text("sym_name") == Some(name))
    }
}

impl<'c> Builder<'c> {
    /// Creates `func.func @name` with an entry block.
    pub fn function(&self, name: &str, inputs: &[Type<'c>], results: &[Type<'c>], attributes: &[(&str, Attribute<'c>)]) -> Op<'c> {
        let context = self.context();
        let mut all = vec![
            ("sym_name", Attribute::string(context, name)),
            ("function_type", Attribute::from_type(Type::function(context, inputs, results))),
        ];
        all.extend_from_slice(attributes);
        self.op_with_regions("func.func", &[], &[], &all, &[Some(inputs)])
    }
}
