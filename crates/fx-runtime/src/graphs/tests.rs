//! Graphs against launches one by one, on a device without hardware.

mod executor;
mod fake;

use super::*;
use crate::ffi::bytes::HostBuffer;
use crate::plan::{Kernel, Launch, Scalar};
use fake::Fake;

/// A plan of two kernels and so many launches of the first, each `y = 3 x + n`, the second with a check of `x`.
fn plan(launches: usize) -> Plan {
    let kernel = |symbol: &str| Kernel { symbol: symbol.into(), binary: 0, location: "model.py:3".into(), checks: vec![] };
    let grid = Launch::Grid { blocks: [Scalar::Const(1); 3], threads: [32, 1, 1], shared_bytes: Scalar::Const(0) };
    let step = Step::Launch { kernel: 0, args: vec![], launch: grid };
    Plan {
        kernels: vec![kernel("triple"), kernel("checked")],
        binaries: vec![crate::plan::Binary::ptx(Vec::new())],
        steps: vec![step; launches],
        ..Plan::new("sm_90a")
    }
}

const GRID: Extent = Extent::Grid { blocks: [1, 1, 1], threads: [32, 1, 1], shared: 0 };

/// A recorder with memory of so many words.
struct Setting {
    device: Recorder<Fake>,
    fake: Fake,
    memory: Span,
    _owner: HostBuffer,
}

impl Setting {
    fn new(graphs: Graphs, launches: usize) -> Self {
        let fake = Fake::default();
        let mut device = Recorder::new(fake.handle(), &plan(launches));
        device.set_graphs(graphs);
        let owner = HostBuffer::zeroed(8 * 4096).unwrap();
        Setting { device, fake, memory: owner.span(), _owner: owner }
    }

    fn word(&self, index: usize) -> Span {
        self.memory.slice(8 * index, 8).unwrap()
    }

    /// Launches from word `first` to the next and on, `count` times.
    fn launches(&mut self, first: usize, count: usize) -> Result<()> {
        for index in first..first + count {
            let words = [self.word(index).address(), self.word(index + 1).address(), index as u64];
            self.device.launch(0, &words, GRID)?;
        }
        Ok(())
    }

    /// A call with the input `x` in word `first`: a copy, a clear, launches. Gives the last word.
    fn call(&mut self, first: usize, count: usize, x: i64) -> Result<i64> {
        self.device.upload(self.word(first), &x.to_le_bytes())?;
        self.device.begin();
        self.device.clear(self.word(4095))?;
        self.device.copy(self.word(first + 1), self.word(first))?;
        self.launches(first + 1, count)?;
        self.device.finish()?;
        self.read(first + 1 + count)
    }

    fn read(&mut self, index: usize) -> Result<i64> {
        let mut bytes = [0; 8];
        self.device.download(&mut bytes, self.word(index))?;
        Ok(i64::from_le_bytes(bytes))
    }

    fn count(&self, method: &str) -> usize {
        self.fake.world().count(method)
    }
}

/// What [`Setting::call`] gives.
fn expected(first: usize, count: usize, x: i64) -> i64 {
    (first + 1..first + 1 + count).fold(x, |x, n| x.wrapping_mul(3).wrapping_add(n as i64))
}

#[test]
fn automatic_graphs_begin_with_the_second_call() {
    let mut s = Setting::new(Graphs::Auto, 100);
    for (turn, x) in [5, -7, 11, 11].into_iter().enumerate() {
        assert_eq!(s.call(0, 100, x).unwrap(), expected(0, 100, x));
        assert_eq!(s.device.graph_use().made, u64::from(turn > 0));
    }
    let use_ = s.device.graph_use();
    assert_eq!((use_.replays, use_.replayed, use_.updates, use_.single), (3, 300, 0, 100));
    assert_eq!(s.count("launch_graph"), 3);
}

#[test]
fn what_lies_elsewhere_updates_nodes() {
    let mut s = Setting::new(Graphs::Auto, 100);
    for (call, first) in [0, 0, 200, 200, 400, 0].into_iter().enumerate() {
        let x = 10 + call as i64;
        assert_eq!(s.call(first, 10, x).unwrap(), expected(first, 10, x), "call {call}");
    }
    let use_ = s.device.graph_use();
    assert_eq!((use_.made, use_.replays), (1, 5));
    assert_eq!(use_.updates, 3 * 11, "the copy and the launches, not the clear");
}

#[test]
fn short_stretches_and_never_are_launched_one_by_one() {
    for (graphs, count) in [(Graphs::Auto, WORTHWHILE - 1), (Graphs::Never, 100)] {
        let mut s = Setting::new(graphs, 100);
        for x in 0..4 {
            assert_eq!(s.call(0, count, x).unwrap(), expected(0, count, x));
        }
        assert_eq!((s.count("launch_graph"), s.count("launch")), (0, 4 * count));
    }
    let mut s = Setting::new(Graphs::Auto, WORTHWHILE - 1);
    s.device.begin();
    s.launches(0, 1).unwrap();
    assert_eq!(s.count("launch"), 1, "a plan with few launches keeps nothing back");
}

#[test]
fn always_begins_with_the_first_call() {
    let mut s = Setting::new(Graphs::Always, 1);
    assert_eq!(s.call(0, 1, 4).unwrap(), expected(0, 1, 4));
    assert_eq!((s.count("launch"), s.count("launch_graph")), (0, 1));
}

#[test]
fn waiting_in_the_middle_makes_two_stretches() {
    let mut s = Setting::new(Graphs::Always, 1);
    for x in [1, 2] {
        s.device.upload(s.word(0), &i64::to_le_bytes(x)).unwrap();
        s.device.begin();
        s.launches(0, 10).unwrap();
        assert_eq!(s.read(10).unwrap(), (0..10).fold(x, |x, n| 3 * x + n));
        s.launches(10, 4).unwrap();
        s.device.finish().unwrap();
        assert_eq!(s.read(14).unwrap(), (0..14).fold(x, |x, n| 3 * x + n));
    }
    assert_eq!((s.device.graph_use().made, s.device.graph_use().replays), (2, 4));
}

#[test]
fn the_device_is_trimmed_after_what_was_kept_back() {
    let mut s = Setting::new(Graphs::Always, 100);
    s.fake.world().room = Some(0);
    s.device.begin();
    s.launches(0, 3).unwrap();
    s.device.allocate(8, "a result").unwrap();
    let log = s.fake.world().log.clone();
    assert_eq!(log, ["allocate", "make_graph", "launch_graph", "trim", "allocate"]);
    s.fake.world().failing.insert("launch_graph");
    s.fake.world().failing.insert("launch");
    s.launches(0, 3).unwrap();
    assert!(matches!(s.device.allocate(8, "a result"), Err(RuntimeError::Launch { .. })), "no error is lost");
}

#[test]
fn timed_launches_are_no_graph() {
    let mut s = Setting::new(Graphs::Always, 100);
    s.device.set_timing(true);
    s.call(0, 20, 3).unwrap();
    assert_eq!((s.count("launch"), s.count("launch_graph")), (20, 0));
    s.device.set_timing(false);
    s.call(0, 20, 3).unwrap();
    assert_eq!((s.count("launch"), s.count("launch_graph")), (20, 1));
}

#[test]
fn a_refused_graph_is_launched_one_by_one() {
    for refusing in ["make_graph", "launch_graph"] {
        let mut s = Setting::new(Graphs::Auto, 100);
        s.fake.world().failing.insert(refusing);
        for x in 0..5 {
            assert_eq!(s.call(0, 20, x).unwrap(), expected(0, 20, x), "{refusing}");
        }
        assert_eq!((s.count(refusing), s.count("launch")), (1, 100), "it is asked once");
        assert_eq!(s.device.graph_use().refused, 1);
        assert_eq!(s.fake.world().live, 0);
    }
}

#[test]
fn an_update_that_fails_makes_another_graph() {
    let mut s = Setting::new(Graphs::Always, 100);
    s.call(0, 20, 1).unwrap();
    s.fake.world().failing.insert("update_graph");
    assert_eq!(s.call(300, 20, 2).unwrap(), expected(300, 20, 2));
    let use_ = s.device.graph_use();
    assert_eq!((use_.made, use_.replays, use_.refused, s.fake.world().live), (2, 2, 0, 1));
}

#[test]
fn errors_of_launches_name_the_kernel() {
    for graphs in [Graphs::Never, Graphs::Auto, Graphs::Always] {
        let mut s = Setting::new(graphs, 100);
        s.fake.world().failing.extend(["launch", "launch_graph"]);
        let error = s.call(0, 20, 1).unwrap_err().to_string();
        assert!(error.starts_with("model.py:3: kernel 'triple' failed to launch: "), "{error}");
        s.fake.world().failing.clear();
        assert_eq!(s.call(0, 20, 1).unwrap(), expected(0, 20, 1), "the next call works");
    }
}

#[test]
fn a_call_that_fails_leaves_nothing_behind() {
    let mut s = Setting::new(Graphs::Always, 100);
    s.device.begin();
    s.launches(0, 5).unwrap();
    s.device.abandon();
    s.device.synchronize().unwrap();
    assert_eq!(s.count("launch") + s.count("launch_graph"), 0);
    assert_eq!(s.call(0, 5, 9).unwrap(), expected(0, 5, 9));
}

#[test]
fn graphs_that_are_not_used_go() {
    let mut s = Setting::new(Graphs::Always, 100);
    for count in 1..=2 * REMEMBERED {
        s.call(0, count, 1).unwrap();
        assert_eq!(s.fake.world().live, count.min(REMEMBERED));
    }
    let made = s.device.graph_use().made;
    s.call(0, 2 * REMEMBERED, 1).unwrap();
    assert_eq!(s.device.graph_use().made, made, "the last ones stay");
    s.device.release();
    assert_eq!(s.fake.world().live, 0);
}

#[test]
fn long_stretches_are_cut() {
    let mut s = Setting::new(Graphs::Always, 100);
    for x in [3, 4] {
        s.device.upload(s.word(0), &i64::to_le_bytes(x)).unwrap();
        s.device.begin();
        for _ in 0..3 {
            s.launches(0, 2000).unwrap();
        }
        s.device.finish().unwrap();
        assert_eq!(s.read(2000).unwrap(), (0..2000).fold(x, |x, n: i64| x.wrapping_mul(3).wrapping_add(n)));
    }
    assert_eq!((s.device.graph_use().made, s.device.graph_use().replays), (2, 4));
}

#[test]
fn names_of_choices() {
    for graphs in [Graphs::Auto, Graphs::Always, Graphs::Never] {
        assert_eq!(graphs.to_string().parse(), Ok(graphs));
    }
    assert!("often".parse::<Graphs>().unwrap_err().contains("'often'"));
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// Calls of a few shapes at places that change, with waits in between and methods that fail now and then. Gives what was read.
fn random_work(graphs: Graphs, seed: u64) -> Vec<i64> {
    let mut s = Setting::new(graphs, 100);
    let mut random = Random(seed);
    let mut read = Vec::new();
    for call in 0..60 {
        let (shape, place) = (random.below(3), 600 * random.below(3));
        let failing = ["make_graph", "update_graph", "launch_graph"][random.below(3)];
        if random.below(6) == 0 {
            s.fake.world().failing.insert(failing);
        }
        if random.below(20) == 0 {
            s.device.release();
        }
        s.device.upload(s.word(place), &i64::to_le_bytes(call)).unwrap();
        s.device.begin();
        for stretch in 0..=shape {
            let first = place + 40 * stretch;
            s.launches(first, 20).unwrap();
            s.device.copy(s.word(first + 30), s.word(first + 20)).unwrap();
            if stretch == 1 {
                read.push(s.read(first + 30).unwrap());
            }
            s.device.clear(s.word(first + 21)).unwrap();
            s.device.copy(s.word(first + 40), s.word(first + 30)).unwrap();
        }
        if random.below(10) == 0 {
            s.device.abandon(); // what was not waited for may be done or not
            s.device.clear(s.memory).unwrap();
        } else {
            s.device.finish().unwrap();
            read.push(s.read(place + 40 * (shape + 1)).unwrap());
        }
        s.fake.world().failing.clear();
    }
    s.device.release();
    assert_eq!(s.fake.world().live, 0);
    read
}

#[test]
fn random_work_is_the_same_with_graphs() {
    for seed in 1..=50 {
        let expected = random_work(Graphs::Never, seed);
        assert!(expected.len() > 50);
        assert_eq!(random_work(Graphs::Auto, seed), expected, "seed {seed}");
        assert_eq!(random_work(Graphs::Always, seed), expected, "seed {seed}");
    }
}
