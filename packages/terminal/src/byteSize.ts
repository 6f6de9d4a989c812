const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

/** Parses a size such as 65536, 512MB or 1.5GiB and returns it in bytes; NaN if it is invalid. */
export function parseByteSize(value: unknown): number {
  const [, digits, unit] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(String(value)) ?? [];
  const name = unit?.toLowerCase() ?? '';
  return Math.floor(Number(digits) * (Object.hasOwn(UNITS, name) ? UNITS[name]! : Number.NaN));
}
