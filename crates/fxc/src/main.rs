//! fxc.
fn main() {}
