/** A number in a rule, with its unit. */
export interface Quantity {
  readonly value: number;
  /** The dimension; null if unknown. A bare number takes the dimension of the quantity that it is combined with. */
  readonly dimension: 'time' | 'size' | 'ratio' | null;
  /** Size of one unit in the base unit of the dimension: seconds, bytes, or a fraction of 1. */
  readonly scale: number;
  /** The unit as written in the export or in the rule, for messages. */
  readonly unit: string | null;
  /** Whether this is a number without a unit in the rule, or the result of arithmetic on such numbers only. */
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

const time = (scale: number): Unit => ({ dimension: 'time', scale });
const size = (scale: number): Unit => ({ dimension: 'size', scale });

/** Suffixes of numbers in rules. KB is 1000 bytes, KiB is 1024. */
const SUFFIXES: Readonly<Record<string, Unit>> = {
  ns: time(1e-9),
  us: time(1e-6),
  µs: time(1e-6),
  ms: time(1e-3),
  s: time(1),
  min: time(60),
  h: time(3600),
  B: size(1),
  KB: size(1e3),
  MB: size(1e6),
  GB: size(1e9),
  TB: size(1e12),
  KiB: size(2 ** 10),
  MiB: size(2 ** 20),
  GiB: size(2 ** 30),
  TiB: size(2 ** 40),
  '%': { dimension: 'ratio', scale: 0.01 },
};

/** Units of metrics in exports. */
const UNITS: Readonly<Record<string, Unit>> = {
  nanoseconds: time(1e-9),
  microseconds: time(1e-6),
  milliseconds: time(1e-3),
  seconds: time(1),
  ns: time(1e-9),
  ms: time(1e-3),
  sec: time(1),
  bytes: size(1),
  kilobytes: size(1e3),
  megabytes: size(1e6),
  gigabytes: size(1e9),
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

/** Creates a quantity from a count, such as a number of series. */
export function toCount(value: number): Quantity {
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
