//! An NVIDIA GPU as a device, through the driver alone, which is looked for when first needed.
//!
//! Holds     [`driver`] (the library, errors, contexts), [`graph`] (graphs), [`jitlink`] and [`link`] (assemblers), [`memory`] (blocks),
//!           [`module`] (code), [`timing`] (events), and here the [`Device`] itself.
//! Order     All work of one executor goes to one stream, so memory is reused as soon as its last user is queued.
//! Context   The device's primary context, which PyTorch uses too: device pointers are the same in both.

mod driver;
mod graph;
mod jitlink;
mod link;
mod memory;
mod module;
mod timing;

use self::driver::{Context, check};
use self::graph::Graph;
use self::memory::Blocks;
use self::module::Function;
use self::timing::Timer;
use super::bytes::Span;
use crate::device::{Block, Device, DeviceKind, Extent, LaunchTime};
use crate::error::{Result, RuntimeError};
use crate::exec::Executor;
use crate::graphs::{GraphDevice, GraphId};
use crate::plan::{DType, Plan};
use crate::tape::Tape;
use crate::tensor::byte_len;
use crate::value::DeviceTensor;
use cudarc::driver::{result, sys};
use std::any::Any;
use std::ffi::c_void;
use std::sync::Arc;

pub(crate) use self::driver::is_available;
pub(crate) use self::jitlink::JitLink;
pub(crate) use self::link::DriverCompiler;
pub(crate) use self::memory::CudaBlock;

/// Alignment of buffers in bytes: what `cuMemAlloc` promises.
pub(crate) const ALIGNMENT: usize = 256;

/// Arguments of a launch that need no memory of their own.
const ARGUMENTS: usize = 32;

/// A device's context, kept open.
pub(crate) struct OpenContext {
    _context: Arc<Context>,
}

impl OpenContext {
    /// Opens it. Fails without a driver or such a device.
    pub(crate) fn new(ordinal: u32) -> Result<Self> {
        Ok(OpenContext { _context: Context::open(ordinal)? })
    }
}

/// A stream: ours, or the caller's.
struct Stream {
    raw: sys::CUstream,
    is_own: bool,
    context: Arc<Context>,
}

// SAFETY: driver handles may be used from any thread.
unsafe impl Send for Stream {}

impl Stream {
    /// A new stream that does not wait for the legacy default stream.
    fn new(context: &Arc<Context>) -> Result<Self> {
        context.make_current()?;
        let raw = result::stream::create(result::stream::StreamKind::NonBlocking);
        Ok(Stream { raw: check("creating a stream", raw)?, is_own: true, context: Arc::clone(context) })
    }

    fn synchronize(&self) -> Result<()> {
        // SAFETY: the stream is ours and alive, or the caller promised that it is (`Executor::set_stream`).
        check("waiting for the stream", unsafe { result::stream::synchronize(self.raw) })
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if self.is_own && self.context.make_current().is_ok() {
            // SAFETY: we made it, and nobody uses it any more. An error is of no use to anyone.
            let _ = unsafe { result::stream::destroy(self.raw) };
        }
    }
}

/// The loaded kernels of one plan on one GPU. Fields are dropped in order: users of the context before the context.
pub(crate) struct CudaDevice {
    timer: Timer,
    /// By their numbers; those that are none are free.
    graphs: Vec<Option<Graph>>,
    functions: Vec<Function>,
    stream: Stream,
    blocks: Arc<Blocks>,
    context: Arc<Context>,
}

impl CudaDevice {
    /// Opens a GPU and loads the code of a plan.
    ///
    /// Fails without a driver or such a device, when the plan is for another architecture, and when code does not load.
    pub(crate) fn open(ordinal: u32, plan: &Plan) -> Result<Self> {
        let context = Context::open(ordinal)?;
        context.check_target(&plan.target)?;
        let stream = Stream::new(&context)?;
        let functions = module::load(&context, plan)?;
        let blocks = Arc::new(Blocks::new(Arc::clone(&context)));
        Ok(CudaDevice { timer: Timer::default(), graphs: Vec::new(), functions, stream, blocks, context })
    }
}

impl Drop for CudaDevice {
    fn drop(&mut self) {
        // what is dropped next must be out of use, and events need their context; errors are of no use to anyone
        if self.context.make_current().is_ok() {
            let _ = self.stream.synchronize();
        }
    }
}

impl Device for CudaDevice {
    fn kind(&self) -> DeviceKind {
        DeviceKind::Cuda(self.context.ordinal())
    }

    fn is_host(&self) -> bool {
        false
    }

    fn enter(&mut self) -> Result<()> {
        self.context.make_current()
    }

    fn allocate(&mut self, bytes: usize, what: &str) -> Result<Block> {
        Ok(Block::Cuda(Blocks::allocate(&self.blocks, bytes, what)?))
    }

    fn upload(&mut self, dst: Span, src: &[u8]) -> Result<()> {
        if dst.bytes() != src.len() {
            return Err(RuntimeError::Internal("an upload of another size".into()));
        }
        // SAFETY: `dst` lies in a live block; from pageable memory the call returns when `src` has been read, and callers
        // wait for the stream before they let go of memory that may be pinned.
        let copied = unsafe { result::memcpy_htod_async(dst.address(), src, self.stream.raw) };
        check("copying to the device", copied)
    }

    fn download(&mut self, dst: &mut [u8], src: Span) -> Result<()> {
        if src.bytes() != dst.len() {
            return Err(RuntimeError::Internal("a download of another size".into()));
        }
        // SAFETY: `src` lies in a live block; `dst` is borrowed until the wait below has ended.
        let copied = unsafe { result::memcpy_dtoh_async(dst, src.address(), self.stream.raw) };
        // wait even if queueing failed, so that nothing writes `dst` later
        let waited = self.stream.synchronize();
        check("copying from the device", copied)?;
        waited
    }

    fn copy(&mut self, dst: Span, src: Span) -> Result<()> {
        if src.bytes() != dst.bytes() {
            return Err(RuntimeError::Internal("a copy of another size".into()));
        }
        // SAFETY: both spans lie in live blocks, which the stream's order keeps from reuse until the copy is done.
        let copied = unsafe { result::memcpy_dtod_async(dst.address(), src.address(), src.bytes(), self.stream.raw) };
        check("copying on the device", copied)
    }

    fn clear(&mut self, dst: Span) -> Result<()> {
        // SAFETY: as in `copy`.
        let cleared = unsafe { result::memset_d8_async(dst.address(), 0, dst.bytes(), self.stream.raw) };
        check("clearing device memory", cleared)
    }

    fn launch(&mut self, kernel: u32, words: &[u64], extent: Extent) -> Result<()> {
        let Extent::Grid { blocks: [bx, by, bz], threads: [tx, ty, tz], shared } = extent else {
            return Err(RuntimeError::Internal("a range on a GPU".into()));
        };
        // the driver reads each argument through a pointer, before it returns
        let pointer = |word: &u64| std::ptr::from_ref(word).cast_mut().cast::<c_void>();
        let (mut few, mut many) = ([std::ptr::null_mut(); ARGUMENTS], Vec::new());
        let params = if let Some(few) = few.get_mut(..words.len()) {
            few.iter_mut().zip(words).for_each(|(param, word)| *param = pointer(word));
            few
        } else {
            many.extend(words.iter().map(pointer));
            many.as_mut_slice()
        };
        let function = &self.functions[kernel as usize];
        self.timer.start(kernel, self.stream.raw)?;
        // SAFETY: the function's module is loaded; each parameter points to 64 bits, which is what kernels of a plan take
        // (`BinaryKind::Ptx`). What the kernel does with them is the compiler's promise; see the crate's documentation.
        let launched = unsafe { result::launch_kernel(function.raw(), (bx, by, bz), (tx, ty, tz), shared, self.stream.raw, params) };
        check("launching", launched)?;
        self.timer.stop(self.stream.raw)
    }

    fn synchronize(&mut self) -> Result<()> {
        self.stream.synchronize()
    }

    fn set_stream(&mut self, stream: Option<u64>) -> Result<()> {
        self.context.make_current()?;
        self.stream.synchronize()?; // blocks are reused in stream order, so the old order must end
        self.stream = match stream {
            None => Stream::new(&self.context)?,
            Some(raw) => {
                Stream { raw: std::ptr::with_exposed_provenance_mut(raw as usize), is_own: false, context: Arc::clone(&self.context) }
            }
        };
        Ok(())
    }

    fn set_timing(&mut self, on: bool) {
        self.timer.set(on);
    }

    fn take_times(&mut self) -> Result<Vec<LaunchTime>> {
        self.stream.synchronize()?;
        self.timer.take()
    }
}

impl GraphDevice for CudaDevice {
    fn make_graph(&mut self, tape: &Tape) -> Result<GraphId> {
        let graph = Graph::new(&self.context, &self.functions, tape)?;
        let free = self.graphs.iter().position(Option::is_none).unwrap_or(self.graphs.len());
        match self.graphs.get_mut(free) {
            Some(place) => *place = Some(graph),
            None => self.graphs.push(Some(graph)),
        }
        Ok(free)
    }

    fn update_graph(&mut self, graph: GraphId, tape: &Tape, index: usize) -> Result<()> {
        match self.graphs.get_mut(graph) {
            Some(Some(graph)) => graph.update(&self.functions, tape, index),
            _ => Err(no_graph(graph)),
        }
    }

    fn launch_graph(&mut self, graph: GraphId) -> Result<()> {
        match self.graphs.get_mut(graph) {
            Some(Some(graph)) => graph.launch(self.stream.raw),
            _ => Err(no_graph(graph)),
        }
    }

    fn drop_graph(&mut self, graph: GraphId) {
        if let Some(graph) = self.graphs.get_mut(graph) {
            *graph = None;
        }
    }

    fn trim(&mut self) {
        self.blocks.trim();
    }
}

fn no_graph(graph: GraphId) -> RuntimeError {
    RuntimeError::Internal(format!("no graph {graph}"))
}

impl Executor {
    /// Queues all further work on the caller's stream (`CUstream` or `cudaStream_t` as a number; 0 is the legacy default
    /// stream), or on a stream of the executor's own for none. Waits for the work queued so far.
    ///
    /// Fails on the CPU, and with the driver's errors.
    ///
    /// # Safety
    /// The stream must belong to the device's primary context and stay alive until another one is set or the executor
    /// is dropped.
    pub unsafe fn set_stream(&mut self, stream: Option<u64>) -> Result<()> {
        self.device.set_stream(stream)
    }
}

impl DeviceTensor {
    /// A tensor over device memory that someone else owns, without copying.
    ///
    /// Work that writes it must be ordered before the executor's stream. Fails when the size overflows or the address is
    /// not aligned to the element.
    ///
    /// # Safety
    /// `address` must be valid on CUDA device `device` for `product(dims) * dtype.size()` bytes for as long as `owner`
    /// lives.
    pub unsafe fn from_foreign(dtype: DType, dims: &[usize], device: u32, address: u64, owner: Arc<dyn Any + Send + Sync>) -> Result<Self> {
        let bytes = byte_len(dtype, dims)?;
        if !address.is_multiple_of(dtype.align() as u64) {
            return Err(RuntimeError::Tensor(format!("device memory of {dtype} is not aligned: {address:#x}")));
        }
        Ok(DeviceTensor::new(dtype, dims.to_vec(), device, Span::new(address, bytes), owner))
    }
}
