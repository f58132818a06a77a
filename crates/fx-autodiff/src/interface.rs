//! A function's arguments and results with their attributes, changed together.

use fx_ir::{Attribute, Block, Op, Reported, Result, Type, Value, emit_error};

/// The attributes of an argument or a result.
pub type Entries<'c> = Vec<(&'c str, Attribute<'c>)>;

/// A function that gets further arguments and results.
pub struct Interface<'c> {
    /// The function.
    pub function: Op<'c>,
    /// Its only block.
    pub body: Block<'c>,
    /// What ends it.
    pub end: Op<'c>,
    arguments: Vec<Entries<'c>>,
    results: Vec<Entries<'c>>,
}

impl<'c> Interface<'c> {
    /// Reads a function.
    ///
    /// # Errors
    /// If it has no body of one block: reported.
    pub fn read(function: Op<'c>) -> Result<Self> {
        let fail = |message: &str| emit_error(function.location(), message, &[]);
        let body = function.body(0).ok_or_else(|| fail("a function without a body has no derivative"))?;
        let end = body.terminator().ok_or_else(|| fail("the function's body has no terminator"))?;
        let mut arguments = lists(function, "arg_attrs");
        arguments.resize_with(body.arguments().len(), Entries::new);
        let mut results = lists(function, "res_attrs");
        results.resize_with(end.operand_count(), Entries::new);
        Ok(Self { function, body, end, arguments, results })
    }

    /// What an argument is: `input`, `parameter`, `buffer` or `constant`.
    pub fn argument_kind(&self, index: usize) -> &'c str {
        self.argument_text(index, "fx.kind").unwrap_or("input")
    }

    /// A text attribute of an argument.
    pub fn argument_text(&self, index: usize, name: &str) -> Option<&'c str> {
        text(self.arguments.get(index)?, name)
    }

    /// All attributes of an argument.
    pub fn argument_entries(&self, index: usize) -> Entries<'c> {
        self.arguments.get(index).cloned().unwrap_or_default()
    }

    /// All attributes of a result.
    pub fn result_entries(&self, index: usize) -> Entries<'c> {
        self.results.get(index).cloned().unwrap_or_default()
    }

    /// What an argument is called: its target, else its number.
    pub fn argument_target(&self, index: usize) -> String {
        self.argument_text(index, "fx.target").map_or_else(|| format!("arg{index}"), str::to_string)
    }

    /// An attribute of an argument.
    pub fn argument_attribute(&self, index: usize, name: &str) -> Option<Attribute<'c>> {
        find(self.arguments.get(index)?, name)
    }

    /// Number of arguments.
    pub fn argument_count(&self) -> usize {
        self.arguments.len()
    }

    /// A text attribute of a result.
    pub fn result_text(&self, index: usize, name: &str) -> Option<&'c str> {
        text(self.results.get(index)?, name)
    }

    /// What a result is: `output`, or a new value of something.
    pub fn result_kind(&self, index: usize) -> &'c str {
        self.results.get(index).and_then(|entries| text(entries, "fx.kind")).unwrap_or("output")
    }

    /// Number of results.
    pub fn result_count(&self) -> usize {
        self.results.len()
    }

    /// Adds an argument.
    pub fn add_argument(&mut self, ty: Type<'c>, entries: Entries<'c>) -> Value<'c> {
        self.arguments.push(entries);
        self.body.add_argument(ty, self.function.location())
    }

    /// Adds a result.
    pub fn add_result(&mut self, value: Value<'c>, entries: Entries<'c>) {
        self.results.push(entries);
        let mut values = self.end.operands();
        values.push(value);
        self.end.set_operands(&values);
    }

    /// Drops the results that `keep` refuses.
    pub fn retain_results(&mut self, keep: impl Fn(usize) -> bool) {
        let kept: Vec<_> = (0..self.results.len()).filter(|index| keep(*index)).collect();
        let values = self.end.operands();
        self.end.set_operands(&kept.iter().map(|index| values[*index]).collect::<Vec<_>>());
        self.results = kept.iter().map(|index| std::mem::take(&mut self.results[*index])).collect();
    }

    /// Names a further first dim of an argument, of any size.
    pub fn add_dim(&mut self, index: usize, name: &str) {
        let context = self.function.context();
        let shape = self.body.argument(index).ty().shape();
        let name_attribute = Attribute::string(context, name);
        let Some(entries) = self.arguments.get_mut(index) else { return };
        let own = find(entries, "fx.dims").and_then(Attribute::as_array);
        let own = own.unwrap_or_else(|| shape.iter().skip(1).map(|size| Attribute::i64(context, *size)).collect());
        let dims: Vec<_> = std::iter::once(name_attribute).chain(own).collect();
        entries.retain(|(key, _)| *key != "fx.dims");
        entries.push(("fx.dims", Attribute::array(context, &dims)));
        let mut symbols = self.function.attribute("fx.symbols").and_then(Attribute::as_dictionary).unwrap_or_default();
        symbols.retain(|(key, _)| *key != name);
        symbols.push((name, Attribute::i64s(context, &[0, -1])));
        self.function.set_attribute("fx.symbols", Attribute::dictionary(context, &symbols));
    }

    /// Makes plain outputs of all gradients; gives their numbers among the outputs.
    pub fn gradients_to_outputs(&mut self) -> Vec<usize> {
        let output = Attribute::string(self.function.context(), "output");
        let (mut number, mut numbers) = (0, Vec::new());
        let values = self.end.operands();
        for (entries, value) in self.results.iter_mut().zip(values) {
            let kind = text(entries, "fx.kind").unwrap_or("output");
            if kind.ends_with("_gradient") {
                *entries = vec![("fx.kind", output)];
                numbers.push(number);
            } else if kind != "output" || !value.ty().is_tensor() {
                continue;
            }
            number += 1;
        }
        numbers
    }

    /// Writes the function's type and attributes.
    pub fn write(self) {
        let context = self.function.context();
        let types = |values: Vec<Value<'c>>| values.into_iter().map(Value::ty).collect::<Vec<_>>();
        let (inputs, results) = (types(self.body.arguments()), types(self.end.operands()));
        self.function.set_attribute("function_type", Attribute::from_type(Type::function(context, &inputs, &results)));
        for (name, lists) in [("arg_attrs", self.arguments), ("res_attrs", self.results)] {
            let lists: Vec<_> = lists.iter().map(|entries| Attribute::dictionary(context, entries)).collect();
            self.function.set_attribute(name, Attribute::array(context, &lists));
        }
    }

    /// Reports an error at the function.
    pub fn error(&self, message: &str) -> Reported {
        emit_error(self.function.location(), message, &[])
    }
}

/// The function of a module with this name.
pub fn function_named<'c>(module: Op<'c>, name: &str) -> Option<Op<'c>> {
    module.body(0)?.ops().into_iter().find(|op| op.text("sym_name") == Some(name))
}

/// The attribute lists of arguments (`arg_attrs`) or results (`res_attrs`).
pub fn lists<'c>(function: Op<'c>, name: &str) -> Vec<Entries<'c>> {
    let lists = function.attribute(name).and_then(Attribute::as_array).unwrap_or_default();
    lists.into_iter().map(|list| list.as_dictionary().unwrap_or_default()).collect()
}

fn find<'c>(entries: &Entries<'c>, name: &str) -> Option<Attribute<'c>> {
    entries.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
}

/// A text attribute among others.
pub fn text<'c>(entries: &Entries<'c>, name: &str) -> Option<&'c str> {
    find(entries, name)?.as_str()
}
