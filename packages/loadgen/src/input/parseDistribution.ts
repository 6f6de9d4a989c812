import type { DistributionPart, ValueDistribution } from './valueDistribution.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The keys of each kind of distribution, besides its limits. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  fixed: ['value'],
  normal: ['mean', 'stddev'],
  lognormal: ['mean', 'median'],
  multimodal: ['peaks'],
  empirical: ['points'],
};

const EXPECTED =
  'expected a number, {value}, {mean, stddev}, {mean, median}, {peaks: [{..., weight}]} or {points: [{value, weight}]}, each with min and max';

/**
 * Parses a distribution in the schema of AIPerf: a number or an object, whose kind is determined by `type` or by its keys.
 * Throws RangeError, whose message begins with the key in question, if the distribution is invalid.
 */
export function parseDistribution(value: unknown): ValueDistribution {
  if (!isObject(value)) return { mean: readNumber({ value }, 'value') };
  const kind = value.type === undefined ? findKind(value) : String(value.type);
  const keys = Object.hasOwn(KEYS, kind) ? KEYS[kind] : undefined;
  if (!keys)
    throw new RangeError(`type is ${JSON.stringify(value.type)}; expected ${Object.keys(KEYS).join(', ')}`);
  const known = [...keys, 'min', 'max', 'type'];
  const unknown = Object.keys(value).find(key => value[key] !== null && !known.includes(key));
  if (unknown !== undefined)
    throw new RangeError(`${unknown.slice(0, 80)} is unknown; expected ${known.join(', ')}`);
  return { ...parseKind(kind, value), ...readLimits(value) };
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function findKind(fields: Fields): string {
  const [kind] =
    [
      ['multimodal', 'peaks'],
      ['empirical', 'points'],
      ['lognormal', 'median'],
      ['normal', 'stddev'],
      ['fixed', 'value'],
      ['normal', 'mean'],
    ].find(([, key]) => fields[key!] !== undefined && fields[key!] !== null) ?? [];
  if (kind === undefined) throw new RangeError(`no distribution; ${EXPECTED}`);
  return kind;
}

function parseKind(kind: string, fields: Fields): ValueDistribution {
  if (kind === 'multimodal') return mix(readList(fields, 'peaks', 2).map(parsePeak));
  if (kind === 'empirical') return mix(readList(fields, 'points', 1).map(parsePoint));
  if (kind === 'fixed') return { mean: readNumber(fields, 'value') };
  const mean = readNumber(fields, 'mean');
  if (kind === 'normal')
    return { mean, ...(fields.stddev != null && { stddev: readNumber(fields, 'stddev') }) };
  const median = readNumber(fields, 'median');
  if (!(median > 0 && median <= mean))
    throw new RangeError(`median is ${median}; expected a number above 0, up to the mean (${mean})`);
  return median === mean ? { mean } : { mean, median };
}

function parsePeak(peak: unknown): DistributionPart {
  if (!isObject(peak)) throw new RangeError('peaks contains a value that is not an object');
  const { weight, distribution, ...inline } = peak;
  return { distribution: parseDistribution(distribution ?? inline), weight: readWeight(weight) };
}

function parsePoint(point: unknown): DistributionPart {
  if (!isObject(point)) throw new RangeError('points contains a value that is not an object');
  const { weight, ...value } = point;
  const other = Object.keys(value).find(key => key !== 'value');
  if (other !== undefined)
    throw new RangeError(`points: ${other.slice(0, 80)} is unknown; expected value, weight`);
  return { distribution: { mean: readNumber(value, 'value') }, weight: readWeight(weight) };
}

function readWeight(weight: unknown): number {
  return weight === undefined || weight === null ? 1 : readNumber({ weight }, 'weight');
}

/** Creates a mixture, whose mean is the weighted mean of its parts. */
function mix(parts: readonly DistributionPart[]): ValueDistribution {
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) throw new RangeError('weight is 0 in all parts');
  const sum = parts.reduce((all, { distribution, weight }) => all + weight * distribution.mean, 0);
  return { mean: sum / total, parts };
}

function readList(fields: Fields, name: string, min: number): readonly unknown[] {
  const list = fields[name];
  if (!Array.isArray(list) || list.length < min)
    throw new RangeError(`${name} is not a list of at least ${min}`);
  return list;
}

function readLimits(fields: Fields): Pick<ValueDistribution, 'min' | 'max'> {
  const { min, max } = fields;
  const limits = {
    ...(min != null && { min: readNumber(fields, 'min') }),
    ...(max != null && { max: readNumber(fields, 'max') }),
  };
  if (limits.min !== undefined && limits.max !== undefined && limits.min > limits.max)
    throw new RangeError(`min is ${limits.min}, above max (${limits.max})`);
  return limits;
}

/** Reads a number of at least 0. Numbers may be texts, which variables and templates of run files create. */
function readNumber(fields: Fields, name: string): number {
  const value = fields[name];
  const isText = typeof value === 'string' && value.trim() !== '';
  const number = typeof value === 'number' || isText ? Number(value) : Number.NaN;
  if (Number.isFinite(number) && number >= 0) return number;
  const problem = value === undefined ? 'is missing' : `is ${JSON.stringify(value)}`;
  throw new RangeError(`${name} ${problem}; expected a number of at least 0`);
}
