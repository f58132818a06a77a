//! The subcommands, one file each: its arguments, its help, and what it does.

pub mod bench;
pub mod check;
pub mod compile;
pub mod partition;
pub mod run;
pub mod train;
