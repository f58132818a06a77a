// Kernels of the tests, compiled by `cc -c -O2 -fPIC` when the tests run. Arguments are 64-bit words; ranges are lo..hi.
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef const uint64_t *Args;

#define KERNEL(name) void name(Args a, int64_t lo, int64_t hi)

static float *f32(Args a, int i) { return (float *)a[i]; }
static int64_t *i64(Args a, int i) { return (int64_t *)a[i]; }

static double f64(Args a, int i) {
  double value;
  memcpy(&value, &a[i], sizeof value);
  return value;
}

// A check fails.
static void record(int64_t *place, int64_t value, int64_t bound) {
  place[0] = 1;
  place[1] = value;
  place[2] = bound;
}

// y = exp(x)
KERNEL(exp_f32) {
  for (int64_t i = lo; i < hi; i++) f32(a, 1)[i] = expf(f32(a, 0)[i]);
}

// y = x, through memcpy
KERNEL(copy_f32) { memcpy(f32(a, 1) + lo, f32(a, 0) + lo, (hi - lo) * sizeof(float)); }

// z = x + y
KERNEL(add_f32) {
  for (int64_t i = lo; i < hi; i++) f32(a, 2)[i] = f32(a, 0)[i] + f32(a, 1)[i];
}

// y = x * s, s a double in a register
KERNEL(scale_f32) {
  for (int64_t i = lo; i < hi; i++) f32(a, 1)[i] = f32(a, 0)[i] * (float)f64(a, 2);
}

// x = s
KERNEL(fill_i64) {
  for (int64_t i = lo; i < hi; i++) i64(a, 0)[i] = (int64_t)a[1];
}

// out[i] = table[index[i]]; two checks' records, table, index, out, size
KERNEL(gather_f32) {
  for (int64_t i = lo; i < hi; i++) {
    int64_t index = i64(a, 2)[i];
    if (index < 0) {
      record(i64(a, 0), index, (int64_t)a[4]);
    } else if (index >= (int64_t)a[4]) {
      record(i64(a, 0) + 3, index, (int64_t)a[4]);
    } else {
      f32(a, 3)[i] = f32(a, 1)[index];
    }
  }
}

// count = number of elements of x that are not 0; x, count, size
KERNEL(count_nonzero) {
  (void)lo, (void)hi;
  int64_t n = 0;
  for (int64_t i = 0; i < (int64_t)a[2]; i++) n += f32(a, 0)[i] != 0.0f;
  *i64(a, 1) = n;
}

// indices of elements that are not 0; x, indices, size
KERNEL(nonzero) {
  (void)lo, (void)hi;
  int64_t n = 0;
  for (int64_t i = 0; i < (int64_t)a[2]; i++)
    if (f32(a, 0)[i] != 0.0f) i64(a, 1)[n++] = i;
}

// Exercises relocations: constants, a table of functions (R_X86_64_64), a jump table, .data and .bss, libm through the GOT.
static float twice(float x) { return 2 * x; }
static float negate(float x) { return -x; }
static float (*const table[])(float) = {twice, negate, sqrtf, expf, fabsf, tanhf};
static int64_t counter = 40;
static int64_t calls[4];
const char *const words[] = {"zero", "one", "two", "three"};

static int64_t shuffle(int64_t x) {
  switch (x) {
  case 0: return 7;
  case 1: return calls[0] + 3;
  case 2: return counter;
  case 3: return 11 * counter;
  case 4: return -1;
  case 5: return words[x & 3][0];
  default: return x * x;
  }
}

// y = table[which](x); z = shuffle(which); which, x, y, z
KERNEL(relocations) {
  (void)lo, (void)hi;
  calls[0]++;
  counter++;
  *f32(a, 2) = table[a[0]](*f32(a, 1));
  *i64(a, 3) = shuffle((int64_t)a[0]);
}

// y = (half)(float)x + 1 in half, back in float; and from double
KERNEL(halves) {
  for (int64_t i = lo; i < hi; i++) {
    _Float16 h = (_Float16)f32(a, 0)[i];
    _Float16 d = (_Float16)((double)f32(a, 0)[i] * 3.0);
    f32(a, 1)[i] = (float)h + (float)((double)d);
  }
}
