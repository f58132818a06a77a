//===- FxSpecialOps.td - special functions --------------------------------===//
//
// Part of FxPointwiseOps.td. Integers compute in f32.
//
//===----------------------------------------------------------------------===//

#ifndef FX_SPECIAL_OPS_TD
#define FX_SPECIAL_OPS_TD

include "fx/FxPointwiseClasses.td"

//===----------------------------------------------------------------------===//
// Error functions and the normal distribution
//===----------------------------------------------------------------------===//

def Fx_ErfOp : Fx_UnaryRealFloat<"erf", "error function", "y = 2 / sqrt(π) * ∫_0^x e^(-t^2) dt.", ["aten.special_erf.default"]>;
def Fx_ErfcOp : Fx_UnaryRealFloat<"erfc", "complementary error function", "y = 1 - erf(x).", ["aten.special_erfc.default"]>;
def Fx_ErfinvOp : Fx_UnaryRealFloat<"erfinv", "inverse error function", "y with erf(y) = x.", ["aten.special_erfinv.default"]>;
def Fx_SpecialEntrOp : Fx_UnaryRealFloat<"special_entr", "entropy of an element", "y = -x ln(x) if x > 0, 0 if x = 0, -∞ if x < 0.">;
def Fx_SpecialErfcxOp : Fx_UnaryRealFloat<"special_erfcx", "scaled complementary error function", "y = e^(x^2) erfc(x).">;
def Fx_SpecialLogNdtrOp : Fx_UnaryRealFloat<"special_log_ndtr", "logarithm of the normal distribution function", "y = ln(ndtr(x)).">;
def Fx_SpecialNdtrOp : Fx_UnaryRealFloat<"special_ndtr", "normal distribution function", "y = erfc(-x / sqrt(2)) / 2.">;
def Fx_SpecialNdtriOp : Fx_UnaryRealFloat<"special_ndtri", "inverse of the normal distribution function", "y with ndtr(y) = x.">;

//===----------------------------------------------------------------------===//
// Gamma functions
//===----------------------------------------------------------------------===//

def Fx_DigammaOp : Fx_UnaryRealFloat<"digamma", "derivative of the logarithm of gamma", "y = Γ'(x) / Γ(x).",
    ["aten.special_digamma.default", "aten.special_psi.default"]>;

def Fx_IgammaOp : Fx_Binary<"igamma", "IntToFloat", "regularised lower incomplete gamma function",
    "y = 1 / Γ(x) * ∫_0^other t^(x-1) e^-t dt.", ["default"], ["aten.special_gammainc.default"], [], Fx_RealTensorOrScalar>;

def Fx_IgammacOp : Fx_Binary<"igammac", "IntToFloat", "regularised upper incomplete gamma function",
    "y = 1 - igamma(x, other).", ["default"], ["aten.special_gammaincc.default"], [], Fx_RealTensorOrScalar>;

def Fx_LgammaOp : Fx_UnaryRealFloat<"lgamma", "logarithm of gamma", "y = ln |Γ(x)|.", ["aten.special_gammaln.default"]>;

def Fx_MvlgammaOp : Fx_Op<"mvlgamma", "mvlgammaType(op.getInput(), op.getP(), r)",
                          ["aten.mvlgamma.default", "aten.special_multigammaln.default"]> {
  let summary = "logarithm of the multivariate gamma function";
  let description = [{
    y = p (p - 1) / 4 * ln(π) + sum_{i=1..p} ln Γ(x - (i - 1) / 2).

    * (mvlgamma_c1) p >= 1.

    ```mlir
    %y = fx.mvlgamma %x p 2 : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Fx_RealTensor:$input, I64Attr:$p);
  let results = (outs Fx_FloatTensor:$result);
  let assemblyFormat = "$input `p` $p attr-dict `:` functional-type(operands, results)";
}

def Fx_PolygammaOp : Fx_Op<"polygamma", "polygammaType(op.getInput(), op.getN(), r)",
                           ["aten.polygamma.default", "aten.special_polygamma.default"]> {
  let summary = "derivatives of digamma";
  let description = [{
    y = the n-th derivative of digamma at x.

    * (polygamma_c1) n >= 0.

    ```mlir
    %y = fx.polygamma %x n 1 : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins I64Attr:$n, Fx_RealTensor:$input);
  let results = (outs Fx_FloatTensor:$result);
  let assemblyFormat = "$input `n` $n attr-dict `:` functional-type(operands, results)";
}

//===----------------------------------------------------------------------===//
// Bessel and Airy functions
//===----------------------------------------------------------------------===//

/// These have the schema argument `x`.
class Fx_UnaryOfX<string mnemonic, string what, string formula>
    : Fx_Op<mnemonic, "r.unary(op.getX(), Promote::IntToFloat)", ["aten." # mnemonic # ".default"]> {
  let summary = what;
  let description = formula;
  let arguments = (ins Fx_RealTensor:$x);
  let results = (outs Fx_FloatTensor:$result);
}

def Fx_I0Op : Fx_UnaryRealFloat<"i0", "modified Bessel function of order 0", "y = I_0(x).", ["aten.special_i0.default"]>;
def Fx_SpecialAiryAiOp : Fx_UnaryOfX<"special_airy_ai", "Airy function", "y = Ai(x).">;
def Fx_SpecialBesselJ0Op : Fx_UnaryRealFloat<"special_bessel_j0", "Bessel function of order 0", "y = J_0(x).">;
def Fx_SpecialBesselJ1Op : Fx_UnaryRealFloat<"special_bessel_j1", "Bessel function of order 1", "y = J_1(x).">;
def Fx_SpecialBesselY0Op : Fx_UnaryRealFloat<"special_bessel_y0", "Bessel function of the second kind, order 0", "y = Y_0(x).">;
def Fx_SpecialBesselY1Op : Fx_UnaryRealFloat<"special_bessel_y1", "Bessel function of the second kind, order 1", "y = Y_1(x).">;
def Fx_SpecialI0eOp : Fx_UnaryRealFloat<"special_i0e", "scaled modified Bessel function of order 0", "y = e^-|x| I_0(x).">;
def Fx_SpecialI1Op : Fx_UnaryRealFloat<"special_i1", "modified Bessel function of order 1", "y = I_1(x).">;
def Fx_SpecialI1eOp : Fx_UnaryRealFloat<"special_i1e", "scaled modified Bessel function of order 1", "y = e^-|x| I_1(x).">;
def Fx_SpecialModifiedBesselI0Op : Fx_UnaryRealFloat<"special_modified_bessel_i0", "modified Bessel function of order 0", "y = I_0(x).">;
def Fx_SpecialModifiedBesselI1Op : Fx_UnaryRealFloat<"special_modified_bessel_i1", "modified Bessel function of order 1", "y = I_1(x).">;
def Fx_SpecialModifiedBesselK0Op : Fx_UnaryRealFloat<"special_modified_bessel_k0",
    "modified Bessel function of the second kind, order 0", "y = K_0(x).">;
def Fx_SpecialModifiedBesselK1Op : Fx_UnaryRealFloat<"special_modified_bessel_k1",
    "modified Bessel function of the second kind, order 1", "y = K_1(x).">;
def Fx_SpecialScaledModifiedBesselK0Op : Fx_UnaryOfX<"special_scaled_modified_bessel_k0",
    "scaled modified Bessel function of the second kind, order 0", "y = e^x K_0(x).">;
def Fx_SpecialScaledModifiedBesselK1Op : Fx_UnaryOfX<"special_scaled_modified_bessel_k1",
    "scaled modified Bessel function of the second kind, order 1", "y = e^x K_1(x).">;
def Fx_SpecialSphericalBesselJ0Op : Fx_UnaryOfX<"special_spherical_bessel_j0", "spherical Bessel function of order 0", "y = sin(x) / x.">;

//===----------------------------------------------------------------------===//
// Orthogonal polynomials
//===----------------------------------------------------------------------===//

def Fx_SpecialChebyshevPolynomialTOp : Fx_Polynomial<"special_chebyshev_polynomial_t", "Chebyshev polynomial of the first kind",
    "y = T_n(x): T_n(cos a) = cos(n a).">;
def Fx_SpecialChebyshevPolynomialUOp : Fx_Polynomial<"special_chebyshev_polynomial_u", "Chebyshev polynomial of the second kind",
    "y = U_n(x): U_n(cos a) = sin((n + 1) a) / sin(a).">;
def Fx_SpecialChebyshevPolynomialVOp : Fx_Polynomial<"special_chebyshev_polynomial_v", "Chebyshev polynomial of the third kind",
    "y = V_n(x): V_n(cos a) = cos((n + 1/2) a) / cos(a / 2).">;
def Fx_SpecialChebyshevPolynomialWOp : Fx_Polynomial<"special_chebyshev_polynomial_w", "Chebyshev polynomial of the fourth kind",
    "y = W_n(x): W_n(cos a) = sin((n + 1/2) a) / sin(a / 2).">;
def Fx_SpecialHermitePolynomialHOp : Fx_Polynomial<"special_hermite_polynomial_h", "physicists' Hermite polynomial",
    "y = H_n(x): H_n(x) = 2x H_{n-1}(x) - 2 (n - 1) H_{n-2}(x), H_0 = 1, H_1 = 2x.">;
def Fx_SpecialHermitePolynomialHeOp : Fx_Polynomial<"special_hermite_polynomial_he", "probabilists' Hermite polynomial",
    "y = He_n(x): He_n(x) = x He_{n-1}(x) - (n - 1) He_{n-2}(x), He_0 = 1, He_1 = x.">;
def Fx_SpecialLaguerrePolynomialLOp : Fx_Polynomial<"special_laguerre_polynomial_l", "Laguerre polynomial",
    "y = L_n(x): n L_n(x) = (2n - 1 - x) L_{n-1}(x) - (n - 1) L_{n-2}(x), L_0 = 1, L_1 = 1 - x.">;
def Fx_SpecialLegendrePolynomialPOp : Fx_Polynomial<"special_legendre_polynomial_p", "Legendre polynomial",
    "y = P_n(x): n P_n(x) = (2n - 1) x P_{n-1}(x) - (n - 1) P_{n-2}(x), P_0 = 1, P_1 = x.">;
def Fx_SpecialShiftedChebyshevPolynomialTOp : Fx_Polynomial<"special_shifted_chebyshev_polynomial_t",
    "shifted Chebyshev polynomial of the first kind", "y = T_n(2x - 1).">;
def Fx_SpecialShiftedChebyshevPolynomialUOp : Fx_Polynomial<"special_shifted_chebyshev_polynomial_u",
    "shifted Chebyshev polynomial of the second kind", "y = U_n(2x - 1).">;
def Fx_SpecialShiftedChebyshevPolynomialVOp : Fx_Polynomial<"special_shifted_chebyshev_polynomial_v",
    "shifted Chebyshev polynomial of the third kind", "y = V_n(2x - 1).">;
def Fx_SpecialShiftedChebyshevPolynomialWOp : Fx_Polynomial<"special_shifted_chebyshev_polynomial_w",
    "shifted Chebyshev polynomial of the fourth kind", "y = W_n(2x - 1).">;

//===----------------------------------------------------------------------===//
// Products with logarithms, zeta
//===----------------------------------------------------------------------===//

def Fx_SpecialXlog1pyOp : Fx_Binary<"special_xlog1py", "IntToFloat", "product with a logarithm of one more",
    "y = x * ln(1 + other), 0 if x = 0; NaN if `other` is NaN.", ["default", "self_scalar", "other_scalar"], [], [], Fx_RealTensorOrScalar>;

def Fx_SpecialZetaOp : Fx_Binary<"special_zeta", "IntToFloat", "Hurwitz zeta function",
    "y = sum_{k>=0} 1 / (k + other)^x.", ["default", "self_scalar", "other_scalar"], [], [], Fx_RealTensorOrScalar>;

def Fx_XlogyOp : Fx_Binary<"xlogy", "IntToFloat", "product with a logarithm",
    "y = x * ln(other), 0 if x = 0; NaN if `other` is NaN.", ["Tensor", "Scalar_Self", "Scalar_Other"],
    ["aten.special_xlogy.default", "aten.special_xlogy.self_scalar", "aten.special_xlogy.other_scalar"], [], Fx_RealTensorOrScalar>;

#endif // FX_SPECIAL_OPS_TD
