import { UsageError } from '@org/terminal';
import { numberOf, type RawOptions, shownValue, singleValue } from '../optionvalue.ts';

/** What a number is, and which ones are accepted. */
export interface NumberKind {
  readonly least?: number;
  /** The least one itself is not accepted. */
  readonly above?: number;
  readonly most?: number;
  readonly whole?: true;
  readonly unit?: string;
}

/** The number of an option. Throws `UsageError` with what the user typed and what is accepted. */
export function numberValue(raw: RawOptions, name: string, kind: NumberKind): number | undefined {
  const value = singleValue(raw, name);
  if (value === undefined) return undefined;
  const number = numberOf(value);
  const {
    least = Number.NEGATIVE_INFINITY,
    most = Number.POSITIVE_INFINITY,
    above = -Infinity,
    whole,
  } = kind;
  const isRight = Number.isFinite(number) && number >= least && number <= most && number > above;
  if (isRight && (!whole || Number.isSafeInteger(number))) return number;
  throw new UsageError(`--${name} is ${shownValue(value)}; expected ${expected(kind)}`);
}

/** Seconds that may be without end: `inf`. */
export function patienceValue(raw: RawOptions, name: string): number | undefined {
  const value = singleValue(raw, name);
  if (typeof value === 'string' && /^inf(inity)?$/i.test(value.trim())) return Number.POSITIVE_INFINITY;
  try {
    return numberValue(raw, name, { least: 0, unit: 'seconds' });
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${error.message}, or inf`) : error;
  }
}

function expected({ least, above, most, whole, unit }: NumberKind): string {
  const kind = whole ? 'a whole number' : 'a number';
  const what = unit === undefined ? kind : `${kind} of ${unit}`;
  const low = above === undefined ? (least === undefined ? '' : ` from ${least}`) : ` above ${above}`;
  const high = most === undefined ? '' : above === undefined ? ` to ${most}` : ` and at most ${most}`;
  return `${what}${low}${high}`;
}
