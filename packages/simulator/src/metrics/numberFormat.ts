/**
 * Number formats of Prometheus client libraries. Except for llama.cpp's, all functions write the shortest digits that parse to
 * the same double, but they differ in when they use exponents.
 */

/**
 * Formats a value as prometheus_client (Python) does: `1.0`, `1e+06`, `1.9e-05`. From 1e6 up to 1e16, the
 * exponent always starts with a zero, as in `1.372014592e+010`. Source: `floatToGoString` in
 * prometheus_client/utils.py.
 */
export function formatPythonNumber(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const magnitude = Math.abs(value);
  if (value >= 1e6 && magnitude < 1e16) {
    const [mantissa, exponent] = value.toExponential().split('e+');
    return `${mantissa}e+0${exponent}`;
  }
  if (magnitude >= 1e16 || (magnitude > 0 && magnitude < 1e-4)) {
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  }
  return Number.isInteger(value) ? `${Object.is(value, -0) ? '-0' : value}.0` : String(value);
}

/** Formats a value as the Rust `prometheus` crate does (`f64::to_string`): `1`, never an exponent, `inf`. */
export function formatRustNumber(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'inf' : '-inf';
  return expandExponent(value);
}

/** Formats a value as prometheus-cpp does: `1`, `+Inf`, and `Nan` with a lowercase last letter. */
export function formatCppNumber(value: number): string {
  if (Number.isNaN(value)) return 'Nan';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const magnitude = Math.abs(value);
  return magnitude !== 0 && (magnitude >= 1e16 || magnitude < 1e-4)
    ? value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2')
    : String(value);
}

/** Formats a value as llama.cpp does: integers in full, other numbers with six digits. */
export function formatLlamaCppNumber(value: number): string {
  return formatCppNumber(Number.isInteger(value) ? value : Number(value.toPrecision(6)));
}

function expandExponent(value: number): string {
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (!match) return text;
  const [, sign, first, fraction = '', power] = match;
  const digits = first! + fraction;
  const point = 1 + Number(power);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return sign + digits.padEnd(point, '0');
}
