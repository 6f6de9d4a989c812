/** A number in a rule, with its unit. */
export interface Quantity {
  readonly value: number;
  /** The dimension; null if unknown. A bare number takes the dimension of the quantity that it is combined with. */
  readonly dimension: 'time' | 'size' | 'ratio' | null;
  /** The size of one unit, in seconds, in bytes, or as a ratio; 1 if the dimension is unknown. */
  readonly scale: number;
  /** The unit as written in the export or in the rule, for messages. */
  readonly unit: string | null;
  /** True if this is a number without a unit in the rule, or the result of arithmetic on such numbers only. */
  readonly isBare: boolean;
}

/** An expression without a value: the reason, and the offset in the rule that the reason refers to. */
export interface Unknown {
  readonly unknown: string;
  readonly at: number;
}

/** Reports whether a result of an evaluation is unknown. */
export function isUnknown(result: object | boolean): result is Unknown {
  return typeof result === 'object' && 'unknown' in result;
}

interface Unit {
  readonly dimension: NonNullable<Quantity['dimension']>;
  readonly scale: number;
}

const toTimeUnit = (scale: number): Unit => ({ dimension: 'time', scale });
const toSizeUnit = (scale: number): Unit => ({ dimension: 'size', scale });

/** Suffixes of numbers in rules. KB is 1000 bytes, KiB is 1024. */
const SUFFIXES: Readonly<Record<string, Unit>> = {
  ns: toTimeUnit(1e-9),
  us: toTimeUnit(1e-6),
  µs: toTimeUnit(1e-6),
  ms: toTimeUnit(1e-3),
  s: toTimeUnit(1),
  min: toTimeUnit(60),
  h: toTimeUnit(3600),
  B: toSizeUnit(1),
  KB: toSizeUnit(1e3),
  MB: toSizeUnit(1e6),
  GB: toSizeUnit(1e9),
  TB: toSizeUnit(1e12),
  KiB: toSizeUnit(2 ** 10),
  MiB: toSizeUnit(2 ** 20),
  GiB: toSizeUnit(2 ** 30),
  TiB: toSizeUnit(2 ** 40),
  '%': { dimension: 'ratio', scale: 0.01 },
};

/** Units of metrics in exports. */
const UNITS: Readonly<Record<string, Unit>> = {
  nanoseconds: toTimeUnit(1e-9),
  microseconds: toTimeUnit(1e-6),
  milliseconds: toTimeUnit(1e-3),
  seconds: toTimeUnit(1),
  ns: toTimeUnit(1e-9),
  ms: toTimeUnit(1e-3),
  sec: toTimeUnit(1),
  bytes: toSizeUnit(1),
  kilobytes: toSizeUnit(1e3),
  megabytes: toSizeUnit(1e6),
  gigabytes: toSizeUnit(1e9),
  ratio: { dimension: 'ratio', scale: 1 },
  percent: { dimension: 'ratio', scale: 0.01 },
  '%': { dimension: 'ratio', scale: 0.01 },
};

/** Creates a quantity from a number in a rule and its suffix. */
export function toLiteral(value: number, suffix: string | null): Quantity {
  const unit = suffix === null ? undefined : SUFFIXES[suffix];
  return { value, dimension: unit?.dimension ?? null, scale: unit?.scale ?? 1, unit: suffix, isBare: !unit };
}

/** Creates a quantity from a statistic and the unit of its metric. */
export function toQuantity(value: number, unit: string | null): Quantity {
  const definition = unit !== null && Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
  return {
    value,
    dimension: definition?.dimension ?? null,
    scale: definition?.scale ?? 1,
    unit,
    isBare: false,
  };
}

/** Creates a quantity without a unit, such as a number of series or a quotient. */
export function toUnitless(value: number): Quantity {
  return { value, dimension: null, scale: 1, unit: null, isBare: false };
}

/** Converts a quantity to the unit of `target`. Returns a message if the units are not compatible. */
export function convertTo(target: Quantity, quantity: Quantity): number | string {
  if (target.dimension === quantity.dimension) return (quantity.value * quantity.scale) / target.scale;
  if (quantity.isBare) return quantity.value;
  // A metric without a known unit may be a ratio between 0 and 1.
  if (isRatio(target) && isRatio(quantity)) return (quantity.value * quantity.scale) / target.scale;
  return `cannot combine ${describeUnit(target)} with ${describeUnit(quantity)}`;
}

/** Reports whether a quantity may be a ratio: its dimension is a ratio or unknown. */
function isRatio({ dimension }: Quantity): boolean {
  return dimension === 'ratio' || dimension === null;
}

function describeUnit({ unit, dimension }: Quantity): string {
  if (dimension !== null) return `a ${dimension}`;
  return unit === null ? 'a value without a unit' : `a value in ${unit}`;
}
