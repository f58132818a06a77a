//! CUDA graphs made of tapes: a node for each op, behind the one before.

use super::driver::{Context, check};
use super::module::Function;
use crate::device::Extent;
use crate::error::{Result, RuntimeError};
use crate::ffi::bytes::Span;
use crate::tape::{Op, Tape};
use cudarc::driver::sys::{self, CUmemorytype};
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;

/// The first driver that has the functions used here; cudarc panics on functions that a driver lacks.
const DRIVER: i32 = 12_000;

/// A graph that can be launched; destroyed when dropped, by the driver once it does not run any more.
pub(super) struct Graph {
    raw: sys::CUgraph,
    exec: sys::CUgraphExec,
    /// The node of each op of the tape.
    nodes: Vec<sys::CUgraphNode>,
    /// Memory for pointers to a launch's arguments.
    pointers: Vec<*mut c_void>,
    context: Arc<Context>,
}

// SAFETY: driver handles may be used from any thread, one at a time, which `&mut self` sees to.
unsafe impl Send for Graph {}

/// What a node does, as the driver wants it.
enum Params {
    Kernel(sys::CUDA_KERNEL_NODE_PARAMS),
    Copy(sys::CUDA_MEMCPY3D),
    Clear(sys::CUDA_MEMSET_NODE_PARAMS),
}

impl Graph {
    /// The graph of a tape, whose kernels are among `functions`. The context must be current.
    ///
    /// Fails with an older driver, and with the driver's errors.
    pub(super) fn new(context: &Arc<Context>, functions: &[Function], tape: &Tape) -> Result<Self> {
        let mut version = 0;
        // SAFETY: the place is writable.
        check("asking for the driver's version", unsafe { sys::cuDriverGetVersion(&mut version) }.result())?;
        if version < DRIVER {
            return Err(RuntimeError::Unsupported(format!("graphs with a driver for CUDA {}.{}", version / 1000, version % 1000 / 10)));
        }
        let mut raw = null_mut();
        // SAFETY: the place is writable.
        check("creating a graph", unsafe { sys::cuGraphCreate(&mut raw, 0) }.result())?;
        let nodes = Vec::with_capacity(tape.ops().len());
        let mut graph = Graph { raw, exec: null_mut(), nodes, pointers: Vec::new(), context: Arc::clone(context) };
        for op in tape.ops() {
            graph.add(functions, tape, op)?;
        }
        // SAFETY: the place is writable, the graph is alive.
        let made = unsafe { sys::cuGraphInstantiateWithFlags(&mut graph.exec, graph.raw, 0) };
        check("instantiating a graph", made.result())?;
        Ok(graph)
    }

    /// Appends the node of an op.
    fn add(&mut self, functions: &[Function], tape: &Tape, op: &Op) -> Result<()> {
        let context = self.context.raw();
        let before: &[sys::CUgraphNode] = self.nodes.last().map_or(&[], std::slice::from_ref);
        let mut node = null_mut();
        let added = match params(functions, tape, op, &mut self.pointers)? {
            // SAFETY: graph and node before are alive, the function's module is loaded; the parameters are read during the
            // call, the pointers and the tape's words among them.
            Params::Kernel(params) => unsafe { sys::cuGraphAddKernelNode_v2(&mut node, self.raw, before.as_ptr(), before.len(), &params) },
            // SAFETY: as above. The spans lie in blocks that are alive whenever the graph is launched with them.
            Params::Copy(params) => unsafe {
                sys::cuGraphAddMemcpyNode(&mut node, self.raw, before.as_ptr(), before.len(), &params, context)
            },
            // SAFETY: as above.
            Params::Clear(params) => unsafe {
                sys::cuGraphAddMemsetNode(&mut node, self.raw, before.as_ptr(), before.len(), &params, context)
            },
        };
        check("adding a node to a graph", added.result())?;
        self.nodes.push(node);
        Ok(())
    }

    /// Gives node `index` what the tape has there. Launches before this are not affected.
    pub(super) fn update(&mut self, functions: &[Function], tape: &Tape, index: usize) -> Result<()> {
        let (Some(op), Some(node)) = (tape.ops().get(index), self.nodes.get(index).copied()) else {
            return Err(RuntimeError::Internal(format!("a graph without a node {index}")));
        };
        let set = match params(functions, tape, op, &mut self.pointers)? {
            // SAFETY: graph and node are alive; for the rest see `add`.
            Params::Kernel(params) => unsafe { sys::cuGraphExecKernelNodeSetParams_v2(self.exec, node, &params) },
            // SAFETY: as above.
            Params::Copy(params) => unsafe { sys::cuGraphExecMemcpyNodeSetParams(self.exec, node, &params, self.context.raw()) },
            // SAFETY: as above.
            Params::Clear(params) => unsafe { sys::cuGraphExecMemsetNodeSetParams(self.exec, node, &params, self.context.raw()) },
        };
        check("changing a node of a graph", set.result())
    }

    /// Queues the graph.
    pub(super) fn launch(&mut self, stream: sys::CUstream) -> Result<()> {
        // SAFETY: the graph is alive, and so is the stream, which is ours or which the caller promised (`Executor::set_stream`).
        // What its nodes touch is alive as it is for launches one by one: the tape's addresses are those of this call.
        check("launching a graph", unsafe { sys::cuGraphLaunch(self.exec, stream) }.result())
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        if self.context.make_current().is_err() {
            return;
        }
        if !self.exec.is_null() {
            // SAFETY: it was made and is not used any more. An error is of no use to anyone.
            let _ = unsafe { sys::cuGraphExecDestroy(self.exec) };
        }
        // SAFETY: as above.
        let _ = unsafe { sys::cuGraphDestroy(self.raw) };
    }
}

/// The parameters of an op's node, which point to `pointers`, and these to the tape's words.
fn params(functions: &[Function], tape: &Tape, op: &Op, pointers: &mut Vec<*mut c_void>) -> Result<Params> {
    Ok(match op {
        Op::Launch { kernel, words, extent: Extent::Grid { blocks, threads, shared } } => {
            let function = functions.get(*kernel as usize).ok_or_else(|| RuntimeError::Internal(format!("no kernel {kernel}")))?;
            // the driver reads each argument through a pointer
            pointers.clear();
            pointers.extend(tape.words(words).iter().map(|word| std::ptr::from_ref(word).cast_mut().cast()));
            let ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]) = (*blocks, *threads);
            Params::Kernel(sys::CUDA_KERNEL_NODE_PARAMS {
                func: function.raw(),
                gridDimX: grid_x,
                gridDimY: grid_y,
                gridDimZ: grid_z,
                blockDimX: block_x,
                blockDimY: block_y,
                blockDimZ: block_z,
                sharedMemBytes: *shared,
                kernelParams: pointers.as_mut_ptr(),
                extra: null_mut(),
                kern: null_mut(),
                ctx: null_mut(), // the current one, to which the function belongs
            })
        }
        Op::Launch { .. } => return Err(RuntimeError::Internal("a range on a GPU".into())),
        Op::Copy { dst, src } => Params::Copy(copy(*dst, *src)),
        Op::Clear { dst } => Params::Clear(sys::CUDA_MEMSET_NODE_PARAMS {
            dst: dst.address(),
            pitch: dst.bytes(),
            value: 0,
            elementSize: 1,
            width: dst.bytes(),
            height: 1,
        }),
    })
}

/// A copy of one row between spans of one length.
fn copy(dst: Span, src: Span) -> sys::CUDA_MEMCPY3D {
    sys::CUDA_MEMCPY3D {
        srcXInBytes: 0,
        srcY: 0,
        srcZ: 0,
        srcLOD: 0,
        srcMemoryType: CUmemorytype::CU_MEMORYTYPE_DEVICE,
        srcHost: std::ptr::null(),
        srcDevice: src.address(),
        srcArray: null_mut(),
        reserved0: null_mut(),
        srcPitch: src.bytes(),
        srcHeight: 1,
        dstXInBytes: 0,
        dstY: 0,
        dstZ: 0,
        dstLOD: 0,
        dstMemoryType: CUmemorytype::CU_MEMORYTYPE_DEVICE,
        dstHost: null_mut(),
        dstDevice: dst.address(),
        dstArray: null_mut(),
        reserved1: null_mut(),
        dstPitch: dst.bytes(),
        dstHeight: 1,
        WidthInBytes: src.bytes(),
        Height: 1,
        Depth: 1,
    }
}
