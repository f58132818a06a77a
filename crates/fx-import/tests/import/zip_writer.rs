//! Writes stored ZIP files from parts, wrong ones too: for tests and for `examples/mutate.rs`.

use flate2::Crc;

/// A member to write, with the freedom to lie about it.
#[derive(Clone, Debug)]
pub struct Part {
    /// Full name, with the root folder.
    pub name: String,
    /// The bytes as they stand in the file.
    pub data: Vec<u8>,
    /// Compression method, 0 for stored.
    pub method: u16,
    /// General purpose flags.
    pub flags: u16,
    /// Size of the unpacked bytes, as declared.
    pub size: u32,
    /// Checksum of the unpacked bytes, as declared.
    pub crc: u32,
}

impl Part {
    /// A stored member with right size and checksum.
    pub fn stored(name: impl Into<String>, data: impl Into<Vec<u8>>) -> Self {
        let data = data.into();
        let mut crc = Crc::new();
        crc.update(&data);
        Self { name: name.into(), size: data.len() as u32, crc: crc.sum(), data, method: 0, flags: 0x800 }
    }
}

/// The bytes of a ZIP file with these members in order.
pub fn write(parts: &[Part]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut directory = Vec::new();
    for part in parts {
        let offset = out.len() as u32;
        let mut fields = Vec::new();
        fields.extend(20u16.to_le_bytes());
        fields.extend(part.flags.to_le_bytes());
        fields.extend(part.method.to_le_bytes());
        fields.extend([0; 4]);
        fields.extend(part.crc.to_le_bytes());
        fields.extend((part.data.len() as u32).to_le_bytes());
        fields.extend(part.size.to_le_bytes());
        fields.extend((part.name.len() as u16).to_le_bytes());
        fields.extend([0; 2]);

        out.extend(b"PK\x03\x04");
        out.extend(&fields);
        out.extend(part.name.as_bytes());
        out.extend(&part.data);

        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&fields);
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(part.name.as_bytes());
    }
    let start = out.len() as u32;
    let count = (parts.len() as u16).to_le_bytes();
    out.extend(&directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend(count);
    out.extend(count);
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0; 2]);
    out
}
