//! Steps of scans.

use std::collections::HashMap;

use fx_ir::{Attribute, Result, Type, Value};

use super::Eval;
use super::body::Copy;
use crate::scan::Scan;

impl<'c> Eval<'c> {
    /// Accumulators of a scan before its first place.
    ///
    /// # Errors
    /// As [`Eval::element`].
    pub fn scan_starts(&mut self, scan: &Scan<'c>) -> Result<Vec<Value<'c>>> {
        let zero = self.index(0);
        self.inits(&scan.generic, &vec![zero; scan.generic.parallel_count()])
    }

    /// Accumulators of a scan after the place `indices`.
    ///
    /// # Errors
    /// As [`Eval::element`].
    pub fn scan_next(&mut self, scan: &Scan<'c>, indices: &[Value<'c>], accumulators: &[Value<'c>]) -> Result<Vec<Value<'c>>> {
        let loops = [indices, &[indices[scan.along]]].concat();
        self.scan_step(scan, &loops, HashMap::new(), accumulators)
    }

    /// Evaluates what a scan reads at a place.
    ///
    /// # Errors
    /// As [`Eval::element`].
    pub fn scan_inputs(&mut self, scan: &Scan<'c>, indices: &[Value<'c>]) -> Result {
        let loops = [indices, &[indices[scan.along]]].concat();
        let arguments = scan.generic.body().map(|block| block.arguments()).unwrap_or_default();
        arguments.into_iter().take(scan.generic.inputs.len()).try_for_each(|input| self.body_value(&scan.generic, input, &loops).map(drop))
    }

    /// Accumulators of a stretch that is one place; for scans that join them.
    ///
    /// # Errors
    /// As [`Eval::element`].
    pub fn scan_single(&mut self, scan: &Scan<'c>, indices: &[Value<'c>]) -> Result<Vec<Value<'c>>> {
        let loops = [indices, &[indices[scan.along]]].concat();
        scan.elements.iter().flatten().map(|element| self.body_value(&scan.generic, *element, &loops)).collect()
    }

    /// Accumulators of two stretches that lie beside each other as those of both.
    ///
    /// # Errors
    /// As [`Eval::element`].
    pub fn scan_joined(&mut self, scan: &Scan<'c>, earlier: &[Value<'c>], later: &[Value<'c>]) -> Result<Vec<Value<'c>>> {
        let elements = scan.elements.iter().flatten().copied().zip(later.iter().copied()).collect();
        self.scan_step(scan, &[], elements, earlier)
    }

    fn scan_step(
        &mut self,
        scan: &Scan<'c>,
        loops: &[Value<'c>],
        mut map: HashMap<Value<'c>, Value<'c>>,
        accumulators: &[Value<'c>],
    ) -> Result<Vec<Value<'c>>> {
        let arguments = scan.generic.body().map(|block| block.arguments()).unwrap_or_default();
        map.extend(arguments.into_iter().skip(scan.generic.inputs.len()).zip(accumulators.iter().copied()));
        if scan.is_conditional {
            let truth = Attribute::int(Type::int(self.context(), 1), 1);
            map.insert(scan.before, self.b.constant(truth, scan.before.ty()));
        }
        let mut copy = Copy { generic: &scan.generic, loops, map };
        scan.next.iter().map(|value| self.demand(&mut copy, *value)).collect()
    }

    /// One place of all scans of a kernel: what is known there from now on, and the next accumulators of all.
    ///
    /// # Errors
    /// As [`Eval::element`].
    pub fn scan_place(&mut self, scans: &[Scan<'c>], indices: &[Value<'c>], accumulators: &[Value<'c>]) -> Result<Vec<Value<'c>>> {
        let mut next = Vec::new();
        for scan in scans {
            let own = &accumulators[next.len()..next.len() + scan.next.len()];
            let values = self.scan_next(scan, indices, own)?;
            for (result, value) in scan.generic.op.results().into_iter().zip(&values) {
                self.known(result, indices, *value);
            }
            next.extend(values);
        }
        Ok(next)
    }
}
