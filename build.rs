//! Builds the fx dialect: mlir-tblgen and a C++ compiler over `dialects/fx`, and the Rust table of its ops.
//!
//! Used by `fx-sys` (`build = "../../build.rs"`). The version of LLVM is stated here, once; `.cargo/config.toml` points the
//! `-sys` crates to the same installation.
//!
//! The C++ takes minutes, so its objects are kept in `target/fx-objects`, where builds of all profiles find them (cargo gives
//! each profile, and clippy, an `OUT_DIR` of its own). A name there is `STEM-KEY.o`: the key is a hash of all that the object
//! is made from, namely the source, our headers and the generated files that it includes, the compiler's version and its
//! flags, without the paths of this checkout. An object is written beside its place and then moved there, so that one which
//! exists is whole, whoever else is building. Nothing is ever replaced; `cargo clean` removes them.

use std::collections::hash_map::DefaultHasher;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use tblgen::{TableGenParser, TypedInit};

const LLVM_VERSION: &str = "22.1";
/// Families of ops: `FxNameOps.td` with `NameOps.cpp`.
const FAMILIES: [&str; 8] = ["Control", "Indexing", "Matrix", "Pointwise", "Random", "Reduction", "Shape", "Spatial"];

type Result<T> = std::result::Result<T, Box<dyn Error>>;

struct Build {
    root: PathBuf,
    dialect: PathBuf,
    llvm: PathBuf,
    out: PathBuf,
    /// Where objects of all profiles are.
    objects: PathBuf,
}

fn main() {
    if let Err(error) = run() {
        eprintln!("{error}");
        println!("cargo::error={}", error.to_string().lines().next().unwrap_or_default());
        std::process::exit(1);
    }
}

fn run() -> Result<()> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join("../..").canonicalize()?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let objects = target_directory(&out).join("fx-objects");
    fs::create_dir_all(&objects)?;
    let build = Build { dialect: root.join("dialects/fx"), llvm: llvm_prefix()?, root: root.clone(), out, objects };
    println!("cargo::rerun-if-changed={}", root.join("dialects").display());
    println!("cargo::rerun-if-changed={}", root.join("build.rs").display());
    build.generate_headers()?;
    build.compile()?;
    fs::write(build.out.join("op_defs.rs"), build.op_table()?)?;
    Ok(())
}

/// Cargo's target directory: `out` is `TARGET/PROFILE/build/PACKAGE/out`. `out` itself if it lies elsewhere.
fn target_directory(out: &Path) -> &Path {
    let build = out.ancestors().find(|directory| directory.file_name().is_some_and(|name| name == "build"));
    build.and_then(|directory| directory.parent()?.parent()).unwrap_or(out)
}

fn llvm_prefix() -> Result<PathBuf> {
    println!("cargo::rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    let prefix = PathBuf::from(
        std::env::var("MLIR_SYS_220_PREFIX").map_err(|_| "MLIR_SYS_220_PREFIX is not set; scripts/setup says what it must be")?,
    );
    let output = Command::new(prefix.join("bin/llvm-config"))
        .arg("--version")
        .output()
        .map_err(|error| format!("cannot run llvm-config under {}: {error}; run scripts/setup", prefix.display()))?;
    let version = String::from_utf8(output.stdout)?;
    if !version.starts_with(LLVM_VERSION) {
        return Err(format!("LLVM {LLVM_VERSION} is needed, {} has {}", prefix.display(), version.trim()).into());
    }
    Ok(prefix)
}

impl Build {
    /// Writes `text` unless the file holds it already, so that later steps see no change.
    fn write(&self, path: &Path, text: &[u8]) -> Result<()> {
        if fs::read(path).ok().as_deref() != Some(text) {
            fs::write(path, text)?;
        }
        Ok(())
    }

    fn tblgen(&self, generator: &str, source: &str, output: &str) -> Result<()> {
        let result = Command::new(self.llvm.join("bin/mlir-tblgen"))
            .args(generator.split(' '))
            .arg(self.dialect.join("include/fx").join(source))
            .arg("-I")
            .arg(self.dialect.join("include"))
            .arg("-I")
            .arg(self.llvm.join("include"))
            .output()?;
        if !result.status.success() {
            return Err(format!("mlir-tblgen {generator} {source}: {}", String::from_utf8_lossy(&result.stderr)).into());
        }
        self.write(&self.out.join("fx").join(output), &result.stdout)
    }

    fn generate_headers(&self) -> Result<()> {
        fs::create_dir_all(self.out.join("fx"))?;
        self.tblgen("-gen-dialect-decls -dialect=fx", "FxBase.td", "FxDialect.h.inc")?;
        self.tblgen("-gen-dialect-defs -dialect=fx", "FxBase.td", "FxDialect.cpp.inc")?;
        for family in FAMILIES {
            let source = format!("Fx{family}Ops.td");
            self.tblgen("-gen-op-decls", &source, &format!("Fx{family}Ops.h.inc"))?;
            self.tblgen("-gen-op-defs", &source, &format!("Fx{family}Ops.cpp.inc"))?;
        }
        Ok(())
    }

    /// C++ files, each with the generated files that it alone includes.
    fn sources(&self) -> Vec<(PathBuf, Vec<PathBuf>)> {
        let lib = self.dialect.join("lib");
        let mut sources: Vec<_> = FAMILIES
            .iter()
            .map(|family| (lib.join(format!("{family}Ops.cpp")), vec![self.out.join(format!("fx/Fx{family}Ops.cpp.inc"))]))
            .collect();
        sources.push((lib.join("FxDialect.cpp"), vec![self.out.join("fx/FxDialect.cpp.inc")]));
        sources.push((lib.join("Infer.cpp"), vec![]));
        sources.push((lib.join("ShapeFolding.cpp"), vec![self.out.join("fx/FxShapeOps.h.inc")]));
        for name in ["FxCAPI.cpp", "FxTools.cpp"] {
            sources.push((self.dialect.join("capi").join(name), vec![self.dialect.join("capi/FxCAPI.h")]));
        }
        sources
    }

    /// What an object is made from, as a hash: every family sees the shared headers, only `FxDialect.h`'s users all of them.
    fn key(&self, compiler: &str, source: &Path, own: &[PathBuf]) -> Result<u64> {
        let mut hasher = DefaultHasher::new();
        compiler.hash(&mut hasher);
        let mut inputs = vec![self.dialect.join("include/fx/Infer.h"), self.dialect.join("lib/Shape.h"), source.to_path_buf()];
        if !source.ends_with("Infer.cpp") {
            inputs.push(self.dialect.join("include/fx/FxDialect.h"));
            inputs.push(self.out.join("fx/FxDialect.h.inc"));
        }
        if let Some(stem) = source.file_stem().and_then(|stem| stem.to_str()).filter(|stem| stem.ends_with("Ops")) {
            inputs.push(self.out.join(format!("fx/Fx{stem}.h.inc")));
        }
        for path in inputs.iter().chain(own) {
            fs::read(path)?.hash(&mut hasher);
        }
        Ok(hasher.finish())
    }

    /// The compiler's version and flags as text, with paths of this checkout by name, and LLVM's version.
    fn identity(&self, compiler: &cc::Tool) -> Result<String> {
        let version = Command::new(compiler.path()).arg("--version").output()?;
        let flags: Vec<_> = compiler.args().iter().map(|flag| flag.to_string_lossy()).collect();
        let flags = flags.join(" ").replace(&*self.out.to_string_lossy(), "OUT").replace(&*self.root.to_string_lossy(), "ROOT");
        Ok(format!("{}\n{flags}\nLLVM {LLVM_VERSION}", String::from_utf8_lossy(&version.stdout)))
    }

    fn compile(&self) -> Result<()> {
        let mut config = cc::Build::new();
        config
            .cpp(true)
            .std("c++17")
            // Not 0: inline functions of LLVM's headers are linked once, and these objects come first, so that LLVM and MLIR call
            // those that are made here.
            .opt_level(1)
            .debug(false)
            .include(self.dialect.join("include"))
            .include(self.dialect.join("capi"))
            .include(&self.out)
            .flag(format!("-isystem{}", self.llvm.join("include").display()))
            .flags(["-fno-rtti", "-fno-exceptions", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Wno-comment"]);
        let compiler = config.try_get_compiler()?;
        self.link_cpp_library(&compiler)?;
        let identity = self.identity(&compiler)?;
        let jobs: Vec<_> = self.sources();
        let queue = Mutex::new(jobs.iter().enumerate());
        let objects = Mutex::new(vec![PathBuf::new(); jobs.len()]);
        let workers = std::thread::available_parallelism().map_or(1, usize::from).min(jobs.len());
        std::thread::scope(|scope| -> Result<()> {
            let handles: Vec<_> = (0..workers)
                .map(|_| {
                    scope.spawn(|| -> std::result::Result<(), String> {
                        loop {
                            let Some((index, (source, own))) = queue.lock().map_err(|e| e.to_string())?.next() else { return Ok(()) };
                            let object = self.object(&compiler, &identity, source, own).map_err(|e| e.to_string())?;
                            objects.lock().map_err(|e| e.to_string())?[index] = object;
                        }
                    })
                })
                .collect();
            for handle in handles {
                handle.join().map_err(|_| "a compile thread panicked")??;
            }
            Ok(())
        })?;
        let mut archive = cc::Build::new();
        for object in objects.into_inner()? {
            archive.object(object);
        }
        archive.cargo_metadata(true).try_compile("fxdialect")?;
        Ok(())
    }

    /// Has the C++ library linked statically, if the compiler has it in that form: a folder that comes before the system's holds it
    /// alone. 18,000 descriptions of classes in LLVM and MLIR refer to the library; were it shared, each of them would be looked up and
    /// mended whenever a program starts.
    fn link_cpp_library(&self, compiler: &cc::Tool) -> Result<()> {
        const NAME: &str = "libstdc++.a";
        let output = compiler.to_command().arg(format!("-print-file-name={NAME}")).output()?;
        let library = PathBuf::from(String::from_utf8(output.stdout)?.trim());
        if !library.is_absolute() {
            return Ok(()); // no such file: the name itself was printed
        }
        let folder = self.out.join("cpp");
        fs::create_dir_all(&folder)?;
        fs::copy(&library, folder.join(NAME))?;
        println!("cargo::rustc-link-search=native={}", folder.display());
        Ok(())
    }

    /// The object of a source: the one that is kept, or a new one.
    fn object(&self, compiler: &cc::Tool, identity: &str, source: &Path, own: &[PathBuf]) -> Result<PathBuf> {
        let stem = source.file_stem().and_then(|stem| stem.to_str()).ok_or("source without a name")?;
        let name = format!("{stem}-{:016x}", self.key(identity, source, own)?);
        let object = self.objects.join(format!("{name}.o"));
        if object.exists() {
            return Ok(object);
        }
        let partial = self.objects.join(format!("{name}.{}.partial", std::process::id()));
        let output = compiler.to_command().arg("-c").arg(source).arg("-o").arg(&partial).output()?;
        if !output.status.success() {
            return Err(format!("{}: {}", source.display(), String::from_utf8_lossy(&output.stderr)).into());
        }
        for line in String::from_utf8_lossy(&output.stderr).lines().filter(|line| line.contains("warning:")) {
            println!("cargo::warning={line}");
        }
        fs::rename(&partial, &object)?;
        Ok(object)
    }

    /// `OP_DEFS`: what TableGen says of each op, as Rust data.
    fn op_table(&self) -> Result<String> {
        let include = self.dialect.join("include");
        let source = include.join("fx/FxOps.td");
        let keeper = TableGenParser::new()
            .add_include_directory(include.to_str().ok_or("path is not UTF-8")?)
            .add_include_directory(self.llvm.join("include").to_str().ok_or("path is not UTF-8")?)
            .add_source_file(source.to_str().ok_or("path is not UTF-8")?)
            .parse()
            .map_err(|error| format!("{error}"))?;
        let mut rows = Vec::new();
        for record in keeper.all_derived_definitions("Fx_OpBase") {
            let name = record.string_value("opName")?;
            let mut row = String::new();
            writeln!(row, "    OpDef {{")?;
            writeln!(row, "        name: \"fx.{name}\",")?;
            writeln!(row, "        summary: {:?},", record.string_value("summary")?)?;
            let overloads: Vec<String> = list_of_strings(record.list_init_value("atenOverloads")?)?;
            writeln!(row, "        aten: &{overloads:?},")?;
            writeln!(row, "        arguments: &[{}],", arguments(record)?)?;
            writeln!(row, "        results: {},", record.dag_value("results")?.num_args())?;
            writeln!(row, "        segmented: {},", has_trait(record, "AttrSizedOperandSegments")?)?;
            writeln!(row, "    }},")?;
            rows.push((name.to_string(), row));
        }
        rows.sort();
        let body: String = rows.into_iter().map(|(_, row)| row).collect();
        Ok(format!("/// Every op of the dialect, by name.\npub static OP_DEFS: &[OpDef] = &[\n{body}];\n"))
    }
}

fn list_of_strings(list: tblgen::init::ListInit) -> Result<Vec<String>> {
    list.iter()
        .map(|init| match init {
            TypedInit::String(text) => Ok(text.to_str()?.to_string()),
            other => Err(format!("expected a string, got {other:?}").into()),
        })
        .collect()
}

/// One `ArgDef { .. }` for each operand and attribute, in order.
fn arguments(record: tblgen::Record) -> Result<String> {
    let dag = record.dag_value("arguments")?;
    let mut text = String::new();
    for (name, init) in dag.args() {
        let TypedInit::Def(def) = init else { return Err(format!("argument {name:?} is not a definition").into()) };
        let constraint: tblgen::Record = def.into();
        let kind = if constraint.subclass_of("TypeConstraint") {
            if constraint.subclass_of("Variadic") {
                "Variadic"
            } else if constraint.subclass_of("Optional") {
                "Optional"
            } else {
                "Operand"
            }
        } else if constraint.subclass_of("OptionalAttr")
            || constraint.subclass_of("DefaultValuedAttr")
            || constraint.subclass_of("UnitAttr")
        {
            "OptionalAttribute"
        } else {
            "Attribute"
        };
        let base = base_constraint(constraint);
        write!(
            text,
            "ArgDef {{ name: {:?}, kind: ArgKind::{kind}, constraint: {base:?} }}, ",
            name.map_or(String::new(), |n| n.to_string())
        )?;
    }
    Ok(text)
}

/// The name of the constraint inside `Optional`, `Variadic`, `OptionalAttr` and `DefaultValuedAttr`.
fn base_constraint(constraint: tblgen::Record) -> String {
    for field in ["baseType", "baseAttr"] {
        if let Ok(inner) = constraint.def_value(field) {
            return base_constraint(inner);
        }
    }
    constraint.name().map_or(String::new(), str::to_string)
}

fn has_trait(record: tblgen::Record, name: &str) -> Result<bool> {
    Ok(record.list_init_value("traits")?.iter().any(|init| match init {
        TypedInit::Def(def) => tblgen::Record::from(def).name().is_ok_and(|trait_name| trait_name == name),
        _ => false,
    }))
}
