//! Instructions that no dialect has, as assembly text. They stay where they are, and are never left out.

use fx_ir::{Attribute, Builder, Type, Value};

/// An instruction that gives a value; `constraints` name the registers of the value and of the operands.
pub(crate) fn assembly<'c>(b: &Builder<'c>, text: &str, constraints: &str, operands: &[Value<'c>], ty: Type<'c>) -> Value<'c> {
    b.value(NAME, operands, ty, &attributes(b, text, constraints))
}

/// An instruction that gives nothing.
pub(crate) fn effect<'c>(b: &Builder<'c>, text: &str, constraints: &str, operands: &[Value<'c>]) {
    b.op(NAME, operands, &[], &attributes(b, text, constraints));
}

const NAME: &str = "llvm.inline_asm";

fn attributes<'c>(b: &Builder<'c>, text: &str, constraints: &str) -> [(&'static str, Attribute<'c>); 3] {
    let context = b.context();
    [
        ("asm_string", Attribute::string(context, text)),
        ("constraints", Attribute::string(context, constraints)),
        ("has_side_effects", Attribute::unit(context)),
    ]
}
