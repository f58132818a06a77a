//! Enumerations that the schema writes as numbers. The numbers of dtypes are the schema's own, not
//! those of c10.

/// Declares an enumeration: `Variant = number "name"`.
macro_rules! numbered {
    ($(#[$meta:meta])* $name:ident ($what:literal) {
        $($(#[$doc:meta])* $variant:ident = $number:literal $text:literal,)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Deserialize)]
        #[serde(try_from = "u64")]
        pub enum $name { $($(#[$doc])* $variant = $number,)+ }

        impl $name {
            /// All of them, in the order of their numbers.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name that PyTorch gives it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }
        }

        impl TryFrom<u64> for $name {
            type Error = String;

            fn try_from(number: u64) -> Result<Self, String> {
                match number {
                    $($number => Ok(Self::$variant),)+
                    _ => Err(format!(concat!("expected the number of ", $what, ", found {}"), number)),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

numbered! {
    /// Type of a tensor's elements.
    ScalarType("a dtype") {
        /// Not a dtype of any tensor.
        Unknown = 0 "unknown",
        /// `torch.uint8`
        UInt8 = 1 "uint8",
        /// `torch.int8`
        Int8 = 2 "int8",
        /// `torch.int16`
        Int16 = 3 "int16",
        /// `torch.int32`
        Int32 = 4 "int32",
        /// `torch.int64`
        Int64 = 5 "int64",
        /// `torch.float16`
        Float16 = 6 "float16",
        /// `torch.float32`
        Float32 = 7 "float32",
        /// `torch.float64`
        Float64 = 8 "float64",
        /// `torch.complex32`
        Complex32 = 9 "complex32",
        /// `torch.complex64`
        Complex64 = 10 "complex64",
        /// `torch.complex128`
        Complex128 = 11 "complex128",
        /// `torch.bool`, one byte an element
        Bool = 12 "bool",
        /// `torch.bfloat16`
        BFloat16 = 13 "bfloat16",
        /// `torch.uint16`
        UInt16 = 28 "uint16",
        /// `torch.float8_e4m3fn`
        Float8E4M3FN = 29 "float8_e4m3fn",
        /// `torch.float8_e5m2`
        Float8E5M2 = 30 "float8_e5m2",
        /// `torch.float8_e4m3fnuz`
        Float8E4M3FNUZ = 31 "float8_e4m3fnuz",
        /// `torch.float8_e5m2fnuz`
        Float8E5M2FNUZ = 32 "float8_e5m2fnuz",
    }
}

numbered! {
    /// Layout of a tensor's storage.
    Layout("a layout") {
        /// Not a layout of any tensor.
        Unknown = 0 "unknown",
        /// `torch.sparse_coo`
        SparseCoo = 1 "sparse_coo",
        /// `torch.sparse_csr`
        SparseCsr = 2 "sparse_csr",
        /// `torch.sparse_csc`
        SparseCsc = 3 "sparse_csc",
        /// `torch.sparse_bsr`
        SparseBsr = 4 "sparse_bsr",
        /// `torch.sparse_bsc`
        SparseBsc = 5 "sparse_bsc",
        /// `torch._mkldnn`
        Mkldnn = 6 "_mkldnn",
        /// `torch.strided`, the usual one
        Strided = 7 "strided",
    }
}

numbered! {
    /// Order of a tensor's dimensions in memory, as an argument of an operator.
    MemoryFormat("a memory format") {
        /// Not a memory format.
        Unknown = 0 "unknown",
        /// `torch.contiguous_format`
        Contiguous = 1 "contiguous_format",
        /// `torch.channels_last`
        ChannelsLast = 2 "channels_last",
        /// `torch.channels_last_3d`
        ChannelsLast3d = 3 "channels_last_3d",
        /// `torch.preserve_format`
        Preserve = 4 "preserve_format",
    }
}

numbered! {
    /// How an argument of a node is passed.
    ArgumentKind("an argument kind") {
        /// Not stated.
        Unknown = 0 "unknown",
        /// By position.
        Positional = 1 "positional",
        /// By keyword.
        Keyword = 2 "keyword",
    }
}

impl ScalarType {
    /// Bytes of one element; 0 for [`ScalarType::Unknown`].
    pub const fn size(self) -> usize {
        match self {
            Self::Unknown => 0,
            Self::UInt8 | Self::Int8 | Self::Bool | Self::Float8E4M3FN | Self::Float8E5M2 | Self::Float8E4M3FNUZ | Self::Float8E5M2FNUZ => {
                1
            }
            Self::Int16 | Self::UInt16 | Self::Float16 | Self::BFloat16 => 2,
            Self::Int32 | Self::Float32 | Self::Complex32 => 4,
            Self::Int64 | Self::Float64 | Self::Complex64 => 8,
            Self::Complex128 => 16,
        }
    }

    /// Whether elements are real floating point numbers.
    pub const fn is_floating_point(self) -> bool {
        matches!(
            self,
            Self::Float16
                | Self::BFloat16
                | Self::Float32
                | Self::Float64
                | Self::Float8E4M3FN
                | Self::Float8E5M2
                | Self::Float8E4M3FNUZ
                | Self::Float8E5M2FNUZ
        )
    }

    /// Whether elements are complex numbers.
    pub const fn is_complex(self) -> bool {
        matches!(self, Self::Complex32 | Self::Complex64 | Self::Complex128)
    }

    /// Whether elements are integers; bool is none.
    pub const fn is_integer(self) -> bool {
        self.is_signed_integer() || matches!(self, Self::UInt8 | Self::UInt16)
    }

    /// Whether elements are integers with a sign.
    pub const fn is_signed_integer(self) -> bool {
        matches!(self, Self::Int8 | Self::Int16 | Self::Int32 | Self::Int64)
    }
}
