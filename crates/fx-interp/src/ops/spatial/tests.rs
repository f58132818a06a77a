use fx_ir::{Module, new_context};
use fx_runtime::{HostTensor, Value};

use super::filters::{Dim, FixedPoint, Nearest, Taps, antialiased, cubic, linear, triangle};
use super::grid_sampler::{Beyond, Interpolation, Sampler};
use super::max_pool::greatest;
use super::pads::{Mode, padded_dim};
use super::pool::fractional_starts;
use super::windows::Axis;
use crate::Evaluator;
use crate::array::DType;

fn floats(dims: &[usize], values: &[f32]) -> HostTensor {
    HostTensor::from_slice(dims, values).unwrap()
}

/// 1, 2, 3 and so on.
fn counted(dims: &[usize]) -> HostTensor {
    floats(dims, &(1..=dims.iter().product()).map(|k: usize| k as f32).collect::<Vec<_>>())
}

/// The results of one op on `%0`, `%1` and so on.
fn run(op: &str, inputs: &[HostTensor], results: &[&str]) -> Result<Vec<Vec<f64>>, String> {
    let ty = |tensor: &HostTensor| {
        let dims: String = tensor.dims().iter().map(|size| format!("{size}x")).collect();
        format!("tensor<{dims}{}>", if tensor.dtype() == DType::U8 { "ui8".to_string() } else { tensor.dtype().to_string() })
    };
    let types: Vec<String> = inputs.iter().map(ty).collect();
    let arguments: Vec<String> = types.iter().enumerate().map(|(k, ty)| format!("%{k}: {ty}")).collect();
    let (types, arguments, results) = (types.join(", "), arguments.join(", "), results.join(", "));
    let names: Vec<String> = (0..results.split(", ").count()).map(|k| format!("%r{k}")).collect();
    let names = names.join(", ");
    let text =
        format!("func.func @main({arguments}) -> ({results}) {{ {names} = {op} : ({types}) -> ({results}) return {names} : {results} }}");
    let context = new_context(false);
    let module = Module::parse(&context, &text).ok_or(text)?;
    let evaluator = Evaluator::read(&module).map_err(|message| message.to_string())?;
    let inputs: Vec<Value> = inputs.iter().map(|tensor| tensor.clone().into()).collect();
    let items = evaluator.call(&inputs).map_err(|message| message.to_string())?;
    Ok(items.iter().map(|item| item.tensor().unwrap().to_f64_vec().unwrap()).collect())
}

fn dot(a: &[f64], b: &HostTensor) -> f64 {
    a.iter().zip(b.to_f64_vec().unwrap()).map(|(a, b)| a * b).sum()
}

#[test]
fn windows_of_ceil_mode_begin_before_the_padding_after_the_end() {
    let count = |size, kernel, stride, padding, ceil| Axis::new(size, kernel, stride, 1, padding, ceil).map(|axis| axis.count);
    assert_eq!((count(5, 2, 2, 0, false), count(5, 2, 2, 0, true)), (Ok(2), Ok(3)));
    assert_eq!((count(5, 2, 2, 1, true), count(1, 1, 3, 0, true)), (Ok(3), Ok(1)));
    assert!(count(2, 3, 1, 0, false).unwrap_err().contains("no window"));
    assert!(count(1, 1 << 40, 1, 1 << 39, false).is_ok());
}

#[test]
fn means_count_the_padding_but_not_what_is_beyond_it() {
    let mean = |attributes: &str, result| {
        let op = format!("fx.avg_pool1d %0 kernel_size [2] {{stride = array<i64: 2>, ceil_mode = true{attributes}}}");
        run(&op, &[counted(&[1, 5])], &[result]).unwrap().remove(0)
    };
    assert_eq!(mean("", "tensor<1x3xf32>"), [1.5, 3.5, 5.0]);
    assert_eq!(mean(", padding = array<i64: 1>", "tensor<1x3xf32>"), [0.5, 2.5, 4.5]);
    assert_eq!(mean(", padding = array<i64: 1>, count_include_pad = false", "tensor<1x3xf32>"), [1.0, 2.5, 4.5]);
    let integers = HostTensor::from_slice(&[1, 1, 3], &[-3i64, -4, 9]).unwrap();
    assert_eq!(
        run("fx.avg_pool2d %0 kernel_size [1, 2] {stride = array<i64: 1, 1>}", &[integers], &["tensor<1x1x2xi64>"]).unwrap()[0],
        [-3.0, 2.0]
    );
}

#[test]
fn maxima_of_equal_elements_and_nan() {
    let greatest = |values: &[f64]| greatest(values.iter().copied().zip(0..)).unwrap().1;
    assert_eq!((greatest(&[1.0, 5.0, 5.0]), greatest(&[1.0, f64::NAN, 2.0, f64::NAN, 9.0])), (1, 3));
    assert_eq!(greatest(&[f64::NEG_INFINITY; 3]), 0);
    let op = "fx.max_pool1d_with_indices %0 kernel_size [2] {stride = array<i64: 1>, padding = array<i64: 1>, dilation = array<i64: 2>}";
    let results = run(op, &[floats(&[1, 1, 3], &[3.0, 1.0, 2.0])], &["tensor<1x1x3xf32>", "tensor<1x1x3xi64>"]).unwrap();
    assert_eq!(results, [[1.0, 3.0, 1.0], [1.0, 0.0, 1.0]]);
}

#[test]
fn unpooled_positions_are_checked() {
    let indices = |last| HostTensor::from_slice(&[1, 1, 3], &[1i64, 1, last]).unwrap();
    let unpool = |last| run("fx.max_unpool2d %0, %1 output_size [2, 2]", &[counted(&[1, 1, 3]), indices(last)], &["tensor<1x2x2xf32>"]);
    assert_eq!(unpool(3).unwrap()[0], [0.0, 2.0, 0.0, 3.0]);
    assert!(unpool(4).unwrap_err().contains("'fx.max_unpool2d' op has index 4, out of range for 4 places"));
    assert!(unpool(-1).is_err());
}

#[test]
fn fractional_windows_end_with_the_dim() {
    assert_eq!(fractional_starts(0.5, 10, 2, 4, |x| x), Ok(vec![0, 3, 5, 8]));
    assert_eq!(fractional_starts(0.9, 5, 5, 1, |x| x), Ok(vec![0]));
    assert!(fractional_starts(0.5, 3, 2, 3, |x| x).is_err());
}

#[test]
fn odd_padding_is_after_the_end() {
    let op = "fx.conv1d_padding %0, %1 stride [1] padding \"same\" dilation [1] groups [1]";
    let result = run(op, &[counted(&[1, 1, 4]), floats(&[1, 1, 2], &[1.0, 10.0])], &["tensor<1x1x4xf32>"]).unwrap();
    assert_eq!(result[0], [21.0, 32.0, 43.0, 4.0]);
}

#[test]
fn gradients_of_convolutions_are_adjoint() {
    let lists = "stride [2, 1] padding [1, 0] dilation [1, 2]";
    for (transposed, input, output) in [(false, [1, 4, 5, 4], [1, 6, 3, 2]), (true, [1, 6, 3, 2], [1, 4, 5, 4])] {
        let (x, w, g) = (counted(&input), counted(&[6, 2, 3, 2]), counted(&output));
        let ty = |dims: &[usize]| format!("tensor<{}f32>", dims.iter().map(|size| format!("{size}x")).collect::<String>());
        let flags = format!("{lists} output_padding [0, 0] groups [2]");
        let attributes = format!("{{transposed = {transposed}}}");
        let y = run(&format!("fx.convolution %0, %1 {flags} {attributes}"), &[x.clone(), w.clone()], &[&ty(&output)]).unwrap();
        let op = format!("fx.convolution_backward %0, %1, %2 bias_sizes [] {flags} output_mask [true, true, true] {attributes}");
        let types = [&ty(&input)[..], "tensor<6x2x3x2xf32>", &ty(&output[1..2])];
        let grads = run(&op, &[g.clone(), x.clone(), w.clone()], &types).unwrap();
        let product = dot(&y[0], &g);
        assert!(product > 0.0);
        assert_eq!((dot(&grads[0], &x), dot(&grads[1], &w)), (product, product));
        assert_eq!(grads[2].iter().sum::<f64>(), dot(&vec![1.0; g.to_f64_vec().unwrap().len()], &g));
    }
}

#[test]
fn pads_show() {
    let shown = |before, after, mode| {
        let dim = padded_dim(4, before, after, mode)?;
        Ok::<_, String>(dim.into_iter().map(|place| place.map_or(-1, |place| place as i64)).collect::<Vec<_>>())
    };
    assert_eq!(shown(1, -2, Mode::Constant).unwrap(), [-1, 0, 1]);
    assert_eq!(shown(2, 3, Mode::Reflect).unwrap(), [2, 1, 0, 1, 2, 3, 2, 1, 0]);
    assert_eq!(shown(-1, 1, Mode::Reflect).unwrap(), [1, 2, 3, 2]);
    assert_eq!(shown(2, 1, Mode::Replicate).unwrap(), [0, 0, 0, 1, 2, 3, 3]);
    assert_eq!(shown(1, 2, Mode::Circular).unwrap(), [3, 0, 1, 2, 3, 0, 1]);
    assert_eq!(shown(-1, 2, Mode::Circular).unwrap(), [1, 2, 3, 1, 2]);
    assert!(shown(4, 0, Mode::Reflect).unwrap_err().contains("pads 4 and 0"));
    assert!(shown(0, -5, Mode::Constant).is_err());
    assert!(padded_dim(0, 1, 0, Mode::Replicate).is_err());
}

#[test]
fn nearest_elements() {
    let places = |size, output, scale, exact, shortcuts| {
        let places = Nearest { exact, shortcuts, double: false }.places(&Dim { size, output, scale }).unwrap();
        places.into_iter().flatten().collect::<Vec<_>>()
    };
    assert_eq!(places(3, 5, None, false, false), [0, 0, 1, 1, 2]);
    assert_eq!(places(3, 5, None, true, false), [0, 0, 1, 2, 2]);
    assert_eq!(places(3, 6, Some(2.5), false, false), [0, 0, 0, 1, 1, 2]);
    assert_eq!(places(3, 6, Some(2.5), false, true), [0, 0, 1, 1, 2, 2]);
    assert!(Nearest { exact: false, shortcuts: true, double: true }.places(&Dim { size: 0, output: 1, scale: None }).is_err());
}

#[test]
fn filters() {
    let dim = |size, output| Dim { size, output, scale: None };
    assert_eq!(linear(&dim(2, 4), false).unwrap()[1], [(0, 0.75), (1, 0.25)]);
    assert_eq!(linear(&dim(3, 5), true).unwrap()[3], [(1, 0.5), (2, 0.5)]);
    assert_eq!(linear(&dim(3, 1), true).unwrap()[0], [(0, 1.0), (1, 0.0)]);
    let total = |taps: &Taps| taps.iter().map(|tap| tap.1).sum::<f64>();
    assert!(cubic(&dim(3, 7), false).unwrap().iter().all(|taps| taps.len() == 4 && (total(taps) - 1.0).abs() < 1e-12));
    // halves: weights 1/8, 3/8, 3/8, 1/8 inside
    assert_eq!(antialiased(&dim(6, 3), false, 1.0, triangle).unwrap()[1], [(1, 0.125), (2, 0.375), (3, 0.375), (4, 0.125)]);
    let bytes = FixedPoint::new(&linear(&dim(2, 4), false).unwrap());
    assert_eq!(bytes.resample(&[0, 255]), [0, 64, 191, 255]);
}

#[test]
fn bytes_are_rounded_after_each_dim() {
    let bytes = HostTensor::from_slice(&[1, 1, 2, 2], &[0u8, 1, 0, 2]).unwrap();
    let op = "fx.upsample_bilinear2d %0 output_size [1, 1] {align_corners = false}";
    // 0.5 and 1.0 become 1 and 1
    assert_eq!(run(op, &[bytes], &["tensor<1x1x1x1xui8>"]).unwrap()[0], [1.0]);
}

#[test]
fn slopes_of_sampling_weights() {
    use Interpolation::{Cubic, Linear, Nearest};
    for beyond in [Beyond::Zeros, Beyond::Border, Beyond::Reflection] {
        for (interpolation, align_corners) in [(Linear, true), (Linear, false), (Cubic, true), (Cubic, false), (Nearest, false)] {
            let sampler = Sampler { interpolation, beyond, align_corners, dtype: DType::F64 };
            let value = |x: f64, slope: bool| {
                let taps = sampler.taps(x, 5).into_iter().filter_map(|tap| Some((tap.place?, if slope { tap.slope } else { tap.weight })));
                taps.map(|(place, weight)| weight * [2.0, 7.0, 1.0, 8.0, 3.0][place]).sum::<f64>()
            };
            for x in [-2.43, -1.17, -0.31, 0.12, 0.77, 1.33, 3.91] {
                let difference = (value(x + 1e-6, false) - value(x - 1e-6, false)) / 2e-6;
                assert!((difference - value(x, true)).abs() < 1e-6, "{sampler:?} at {x}: {difference} and {}", value(x, true));
            }
        }
    }
}

#[test]
fn points_of_a_grid() {
    let identity = floats(&[1, 2, 3], &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let grid = |align| {
        let op = format!("fx.affine_grid_generator %0 size [1, 1, 1, 2] {{align_corners = {align}}}");
        run(&op, std::slice::from_ref(&identity), &["tensor<1x1x2x2xf32>"]).unwrap().remove(0)
    };
    assert_eq!((grid(true), grid(false)), (vec![-1.0, 0.0, 1.0, 0.0], vec![-0.5, 0.0, 0.5, 0.0]));
}

#[test]
fn blocks() {
    let shuffled = run("fx.pixel_shuffle %0 {upscale_factor = 2 : i64}", &[counted(&[4, 1, 2])], &["tensor<1x2x4xf32>"]);
    assert_eq!(shuffled.unwrap()[0], [1.0, 3.0, 2.0, 4.0, 5.0, 7.0, 6.0, 8.0]);
    let op = "fx.col2im %0 output_size [1, 3] kernel_size [1, 2] dilation [1, 1] padding [0, 0] stride [1, 1]";
    assert_eq!(run(op, &[floats(&[2, 2], &[1.0, 2.0, 10.0, 20.0])], &["tensor<1x1x3xf32>"]).unwrap()[0], [1.0, 12.0, 20.0]);
}
