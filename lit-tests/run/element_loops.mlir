// Loops per element on integers of each kind, and neighbours of floats.
// RUN: fxc run %s | FileCheck %s

// CHECK:      output.0 i64 {{.*}} [6, 6, 0, 5, 1]
// CHECK-NEXT: output.1 i64 {{.*}} [36, 36, 0, 0, 77]
// CHECK-NEXT: output.2 u8 {{.*}} [50, 255]
// From 0 to the least number of a type, past the greatest one, and back from infinity.
// CHECK-NEXT: output.3 f32 {{.*}} [1.40130e-45, inf, -3.40282e38]
// CHECK-NEXT: output.4 bf16 {{.*}} [1.00781, 0.996094, NaN]
func.func @main() -> (tensor<5xi64>, tensor<5xi64>, tensor<2xui8>, tensor<3xf32>, tensor<3xbf16>) {
  %a = arith.constant dense<[12, -12, 0, 5, 7]> : tensor<5xi64>
  %b = arith.constant dense<[18, 18, 0, 0, -11]> : tensor<5xi64>
  %gcd = fx.gcd %a, %b : (tensor<5xi64>, tensor<5xi64>) -> tensor<5xi64>
  %lcm = fx.lcm %a, %b : (tensor<5xi64>, tensor<5xi64>) -> tensor<5xi64>
  %c = arith.constant dense<[200, 255]> : tensor<2xui8>
  %d = arith.constant dense<[150, 0]> : tensor<2xui8>
  %bytes = fx.gcd %c, %d : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  %x = arith.constant dense<[-0.0, 0x7F7FFFFF, 0xFF800000]> : tensor<3xf32>
  %y = arith.constant dense<[1.0, 0x7F800000, 0.0]> : tensor<3xf32>
  %next = fx.nextafter %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %u = arith.constant dense<[1.0, 1.0, 0x7FC0]> : tensor<3xbf16>
  %v = arith.constant dense<[2.0, -2.0, 1.0]> : tensor<3xbf16>
  %half = fx.nextafter %u, %v : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xbf16>
  return %gcd, %lcm, %bytes, %next, %half : tensor<5xi64>, tensor<5xi64>, tensor<2xui8>, tensor<3xf32>, tensor<3xbf16>
}
