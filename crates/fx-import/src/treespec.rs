//! Tree specs: how the leaves of a calling convention nest in tuples, lists, dicts and the like.
//!
//! The archive has them as JSON in a string, `[1, {"type", "context", "children_spec"}]`. Leaves in
//! tree order are the values in order. Depth is bounded by serde_json's recursion limit (about 60
//! nested containers); a dict has as many keys as children, and a named tuple as many fields.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use crate::archive::check_limit;
use crate::error::{ImportError, quoted};
use crate::json;

/// The version of the tree format.
const VERSION: u64 = 1;

/// The longest context of one container, in bytes.
const MAX_CONTEXT: u64 = 1 << 20;

/// A tree of containers around leaves.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct TreeSpec {
    kind: TreeKind,
    children: Vec<TreeSpec>,
    leaf_count: usize,
}

/// What a node of a tree is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeKind {
    /// A value.
    Leaf,
    /// `tuple`
    Tuple,
    /// `list`
    List,
    /// `dict` with its keys in order.
    Dict(Vec<DictKey>),
    /// `collections.OrderedDict` with its keys in order.
    OrderedDict(Vec<DictKey>),
    /// `collections.defaultdict` with its keys in order.
    DefaultDict(Vec<DictKey>),
    /// `collections.deque`
    Deque,
    /// A named tuple.
    NamedTuple {
        /// Name of its type.
        type_name: String,
        /// Its fields, if the archive has them.
        fields: Option<Arc<[String]>>,
    },
    /// A type that was registered with PyTorch.
    Other {
        /// Name of the type.
        type_name: String,
        /// What the type keeps besides the children; the form is its own.
        context: String,
    },
}

/// Key of a dict.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DictKey {
    /// A string.
    Str(String),
    /// An integer.
    Int(i64),
    /// A bool.
    Bool(bool),
    /// Any other key, as JSON text.
    Other(String),
}

/// A node as the archive has it.
#[derive(Deserialize)]
struct Wire {
    #[serde(rename = "type")]
    kind: Option<String>,
    context: Option<String>,
    children_spec: Vec<Wire>,
}

impl TryFrom<String> for TreeSpec {
    type Error = ImportError;

    fn try_from(text: String) -> Result<Self, ImportError> {
        Self::parse(&text)
    }
}

impl TreeSpec {
    /// Reads a tree spec from its JSON text.
    pub fn parse(text: &str) -> Result<Self, ImportError> {
        let (version, root): (u64, Wire) = json::parse(text.as_bytes())?;
        if version != VERSION {
            let expected = format!("a tree spec of version {VERSION}");
            return Err(ImportError::mismatch(expected, version.to_string()));
        }
        Self::new(root)
    }

    fn new(wire: Wire) -> Result<Self, ImportError> {
        let children = wire.children_spec.into_iter().map(Self::new).collect::<Result<Vec<_>, _>>()?;
        let kind = match wire.kind {
            Some(name) => TreeKind::new(name, wire.context.unwrap_or_default(), children.len())?,
            None if children.is_empty() => TreeKind::Leaf,
            None => {
                let found = format!("{} children", children.len());
                return Err(ImportError::mismatch("a leaf without children", found));
            }
        };
        let leaf_count = match kind {
            TreeKind::Leaf => 1,
            _ => children.iter().map(|child| child.leaf_count).sum(),
        };
        Ok(Self { kind, children, leaf_count })
    }

    /// What the outermost node is.
    pub fn kind(&self) -> &TreeKind {
        &self.kind
    }

    /// The nodes right below.
    pub fn children(&self) -> &[TreeSpec] {
        &self.children
    }

    /// Number of leaves below, 1 for a leaf.
    pub fn leaf_count(&self) -> usize {
        self.leaf_count
    }

    /// Whether this is a leaf.
    pub fn is_leaf(&self) -> bool {
        self.kind == TreeKind::Leaf
    }

    /// Sets the fields of named tuples by their type.
    pub(crate) fn name_tuple_fields(&mut self, known: &BTreeMap<&str, Arc<[String]>>) -> Result<(), ImportError> {
        if let TreeKind::NamedTuple { type_name, fields } = &mut self.kind
            && let Some(names) = known.get(type_name.as_str())
        {
            check_count(type_name, names.len(), self.children.len())?;
            *fields = Some(Arc::clone(names));
        }
        self.children.iter_mut().try_for_each(|child| child.name_tuple_fields(known))
    }
}

impl TreeKind {
    fn new(type_name: String, context: String, children: usize) -> Result<Self, ImportError> {
        check_limit("bytes of a container's context", context.len() as u64, MAX_CONTEXT)?;
        let keys = |field| dict_keys(&type_name, &context, field, children);
        Ok(match type_name.as_str() {
            "builtins.tuple" => Self::Tuple,
            "builtins.list" | "torch.fx.immutable_collections.immutable_list" => Self::List,
            "builtins.dict" | "torch.fx.immutable_collections.immutable_dict" => Self::Dict(keys(None)?),
            "collections.OrderedDict" => Self::OrderedDict(keys(None)?),
            "collections.defaultdict" => Self::DefaultDict(keys(Some("dict_context"))?),
            "collections.deque" => Self::Deque,
            "collections.namedtuple" => Self::NamedTuple {
                // The name stands as it is or as a JSON string.
                type_name: serde_json::from_str(&context).unwrap_or(context),
                fields: None,
            },
            _ => Self::Other { type_name, context },
        })
    }
}

fn check_count(type_name: &str, names: usize, children: usize) -> Result<(), ImportError> {
    if names == children {
        return Ok(());
    }
    let expected = format!("{names} children of {}", quoted(type_name));
    Err(ImportError::mismatch(expected, children.to_string()))
}

fn dict_keys(type_name: &str, context: &str, field: Option<&str>, children: usize) -> Result<Vec<DictKey>, ImportError> {
    let mut value: Value = json::parse(context.as_bytes())?;
    if let Some(found) = field.and_then(|field| value.get_mut(field)) {
        value = found.take();
    }
    let Value::Array(keys) = value else {
        let expected = format!("a list of keys as context of {}", quoted(type_name));
        return Err(ImportError::mismatch(expected, quoted(context)));
    };
    check_count(type_name, keys.len(), children)?;
    let keys: Vec<DictKey> = keys.into_iter().map(DictKey::new).collect();
    let mut seen = HashSet::new();
    match keys.iter().find(|key| !seen.insert(*key)) {
        None => Ok(keys),
        Some(key) => Err(ImportError::mismatch("unique keys", format!("{} twice", quoted(&format!("{key:?}"))))),
    }
}

impl DictKey {
    fn new(value: Value) -> Self {
        match value {
            Value::String(text) => Self::Str(text),
            Value::Bool(value) => Self::Bool(value),
            other => match other.as_i64() {
                Some(value) => Self::Int(value),
                None => Self::Other(other.to_string()),
            },
        }
    }
}
