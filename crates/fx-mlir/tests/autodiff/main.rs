//! Joint functions of programs: what usually goes wrong when a program is differentiated, and joint functions that PyTorch made.
//!
//! `docs/tricky-cases.md` numbers the tricky cases; a test says in its comment which of them it is.

mod archives;
mod arguments;
mod kinds;
mod mutation;
mod outputs;
mod page;
mod random;
mod recompute;
mod sizes;
mod support;
mod vectorised;
