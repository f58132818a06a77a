// Special functions: round trip.
// RUN: fx-opt %s | fx-opt | FileCheck %s

// CHECK-LABEL: func.func @digamma(
func.func @digamma(%a: tensor<4x?xf32>) {
  // CHECK: fx.digamma %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.digamma %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @erf(
func.func @erf(%a: tensor<4x?xf32>) {
  // CHECK: fx.erf %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.erf %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @erfc(
func.func @erfc(%a: tensor<4x?xf32>) {
  // CHECK: fx.erfc %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.erfc %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @erfinv(
func.func @erfinv(%a: tensor<4x?xf32>) {
  // CHECK: fx.erfinv %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.erfinv %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @i0(
func.func @i0(%a: tensor<4x?xf32>) {
  // CHECK: fx.i0 %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.i0 %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @igamma(
func.func @igamma(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.igamma %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.igamma %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @igammac(
func.func @igammac(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.igammac %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.igammac %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @lgamma(
func.func @lgamma(%a: tensor<4x?xf32>) {
  // CHECK: fx.lgamma %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.lgamma %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @mvlgamma(
func.func @mvlgamma(%a: tensor<4x?xf32>) {
  // CHECK: fx.mvlgamma %{{.*}} p 2 : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.mvlgamma %a p 2 : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @polygamma(
func.func @polygamma(%a: tensor<4x?xf32>) {
  // CHECK: fx.polygamma %{{.*}} n 1 : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.polygamma %a n 1 : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_airy_ai(
func.func @special_airy_ai(%a: tensor<4x?xf32>) {
  // CHECK: fx.special_airy_ai %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_airy_ai %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_bessel_j0(
func.func @special_bessel_j0(%a: tensor<4x?xf32>) {
  // CHECK: fx.special_bessel_j0 %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_bessel_j0 %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_bessel_j1(
func.func @special_bessel_j1(%a: tensor<4x?xf32>) {
  // CHECK: fx.special_bessel_j1 %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_bessel_j1 %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_bessel_y0(
func.func @special_bessel_y0(%a: tensor<4x?xf32>) {
  // CHECK: fx.special_bessel_y0 %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_bessel_y0 %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_bessel_y1(
func.func @special_bessel_y1(%a: tensor<4x?xf32>) {
  // CHECK: fx.special_bessel_y1 %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_bessel_y1 %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_chebyshev_polynomial_t(
func.func @special_chebyshev_polynomial_t(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.special_chebyshev_polynomial_t %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_chebyshev_polynomial_t %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_chebyshev_polynomial_u(
func.func @special_chebyshev_polynomial_u(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.special_chebyshev_polynomial_u %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_chebyshev_polynomial_u %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_chebyshev_polynomial_v(
func.func @special_chebyshev_polynomial_v(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.special_chebyshev_polynomial_v %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_chebyshev_polynomial_v %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_chebyshev_polynomial_w(
func.func @special_chebyshev_polynomial_w(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.special_chebyshev_polynomial_w %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_chebyshev_polynomial_w %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_entr(
func.func @special_entr(%a: tensor<4x?xf32>) {
  // CHECK: fx.special_entr %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_entr %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_erfcx(
func.func @special_erfcx(%a: tensor<4x?xf32>) {
  // CHECK: fx.special_erfcx %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_erfcx %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_hermite_polynomial_h(
func.func @special_hermite_polynomial_h(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.special_hermite_polynomial_h %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_hermite_polynomial_h %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_hermite_polynomial_he(
func.func @special_hermite_polynomial_he(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.special_hermite_polynomial_he %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_hermite_polynomial_he %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_i0e(
func.func @special_i0e(%a: tensor<4x?xf32>) {
  // CHECK: fx.special_i0e %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_i0e %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_i1(
func.func @special_i1(%a: tensor<4x?xf32>) {
  // CHECK: fx.special_i1 %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_i1 %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_i1e(
func.func @special_i1e(%a: tensor<4x?xf32>) {
  // CHECK: fx.special_i1e %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_i1e %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_laguerre_polynomial_l(
func.func @special_laguerre_polynomial_l(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.special_laguerre_polynomial_l %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_laguerre_polynomial_l %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_legendre_polynomial_p(
func.func @special_legendre_polynomial_p(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.special_legendre_polynomial_p %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_legendre_polynomial_p %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_log_ndtr(
func.func @special_log_ndtr(%a: tensor<4x?xf32>) {
  // CHECK: fx.special_log_ndtr %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_log_ndtr %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_modified_bessel_i0(
func.func @special_modified_bessel_i0(%a: tensor<4x?xf32>) {
  // CHECK: fx.special_modified_bessel_i0 %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_modified_bessel_i0 %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_modified_bessel_i1(
func.func @special_modified_bessel_i1(%a: tensor<4x?xf32>) {
  // CHECK: fx.special_modified_bessel_i1 %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_modified_bessel_i1 %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_modified_bessel_k0(
func.func @special_modified_bessel_k0(%a: tensor<4x?xf32>) {
  // CHECK: fx.special_modified_bessel_k0 %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_modified_bessel_k0 %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_modified_bessel_k1(
func.func @special_modified_bessel_k1(%a: tensor<4x?xf32>) {
  // CHECK: fx.special_modified_bessel_k1 %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_modified_bessel_k1 %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_ndtr(
func.func @special_ndtr(%a: tensor<4x?xf32>) {
  // CHECK: fx.special_ndtr %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_ndtr %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_ndtri(
func.func @special_ndtri(%a: tensor<4x?xf32>) {
  // CHECK: fx.special_ndtri %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_ndtri %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_scaled_modified_bessel_k0(
func.func @special_scaled_modified_bessel_k0(%a: tensor<4x?xf32>) {
  // CHECK: fx.special_scaled_modified_bessel_k0 %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_scaled_modified_bessel_k0 %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_scaled_modified_bessel_k1(
func.func @special_scaled_modified_bessel_k1(%a: tensor<4x?xf32>) {
  // CHECK: fx.special_scaled_modified_bessel_k1 %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_scaled_modified_bessel_k1 %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_shifted_chebyshev_polynomial_t(
func.func @special_shifted_chebyshev_polynomial_t(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.special_shifted_chebyshev_polynomial_t %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_shifted_chebyshev_polynomial_t %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_shifted_chebyshev_polynomial_u(
func.func @special_shifted_chebyshev_polynomial_u(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.special_shifted_chebyshev_polynomial_u %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_shifted_chebyshev_polynomial_u %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_shifted_chebyshev_polynomial_v(
func.func @special_shifted_chebyshev_polynomial_v(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.special_shifted_chebyshev_polynomial_v %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_shifted_chebyshev_polynomial_v %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_shifted_chebyshev_polynomial_w(
func.func @special_shifted_chebyshev_polynomial_w(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.special_shifted_chebyshev_polynomial_w %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_shifted_chebyshev_polynomial_w %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_spherical_bessel_j0(
func.func @special_spherical_bessel_j0(%a: tensor<4x?xf32>) {
  // CHECK: fx.special_spherical_bessel_j0 %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_spherical_bessel_j0 %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_xlog1py(
func.func @special_xlog1py(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.special_xlog1py %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_xlog1py %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @special_zeta(
func.func @special_zeta(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.special_zeta %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.special_zeta %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @xlogy(
func.func @xlogy(%a: tensor<4x?xf32>, %b: tensor<?xf32>) {
  // CHECK: fx.xlogy %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %0 = fx.xlogy %a, %b : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  return
}
