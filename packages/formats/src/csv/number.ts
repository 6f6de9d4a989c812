const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Parses a decimal number in a cell. Returns undefined for other texts, such as `0x10`, and for infinite numbers. */
export function parseDecimal(text: string): number | undefined {
  const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}
