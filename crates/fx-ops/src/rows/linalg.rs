//! Rows of the linalg family.

use crate::table::{OpRow, missing};

/// The table.
pub static ROWS: &[OpRow] = &[
    missing("fx.cholesky", "needs a LAPACK kernel"),
    missing("fx.cholesky_inverse", "needs a LAPACK kernel"),
    missing("fx.cholesky_solve", "needs a LAPACK kernel"),
    missing("fx.det", "needs a LAPACK kernel"),
    missing("fx.fft_c2c", "needs an FFT kernel"),
    missing("fx.fft_c2r", "needs an FFT kernel"),
    missing("fx.fft_r2c", "needs an FFT kernel"),
    missing("fx.linalg_cholesky_ex", "needs a LAPACK kernel"),
    missing("fx.linalg_det", "needs a LAPACK kernel"),
    missing("fx.linalg_eigh", "needs a LAPACK kernel"),
    missing("fx.linalg_eigvalsh", "needs a LAPACK kernel"),
    missing("fx.linalg_inv", "needs a LAPACK kernel"),
    missing("fx.linalg_inv_ex", "needs a LAPACK kernel"),
    missing("fx.linalg_lu_factor", "needs a LAPACK kernel"),
    missing("fx.linalg_lu_factor_ex", "needs a LAPACK kernel"),
    missing("fx.linalg_qr", "needs a LAPACK kernel"),
    missing("fx.linalg_slogdet", "needs a LAPACK kernel"),
    missing("fx.linalg_solve", "needs a LAPACK kernel"),
    missing("fx.linalg_solve_ex", "needs a LAPACK kernel"),
    missing("fx.linalg_solve_triangular", "needs a LAPACK kernel"),
    missing("fx.linalg_svd", "needs a LAPACK kernel"),
    missing("fx.logdet", "needs a LAPACK kernel"),
    missing("fx.slogdet", "needs a LAPACK kernel"),
    missing("fx.triangular_solve", "needs a LAPACK kernel"),
];
