import { type BodyEditName, bodyEdits } from './body.ts';

/** Something that goes wrong when metrics are read. */
export type Fault = FaultKind & {
  /** For how many scrapes; for ever without it. */
  readonly scrapes?: number;
  /** Only for the page of this name; for all without it. */
  readonly page?: string;
};

type FaultKind =
  /** An answer with another status: 401, 403, 404, 500, 503 ... */
  | { readonly kind: 'status'; readonly status: number }
  /** A web page in place of metrics, with status 200. */
  | { readonly kind: 'html' }
  /** A JSON array in place of metrics. */
  | { readonly kind: 'json' }
  /** Half of the body, then the connection breaks. */
  | { readonly kind: 'truncate'; readonly framing?: 'content-length' | 'chunked' }
  /** Silence for so many seconds, then the answer. */
  | { readonly kind: 'stall'; readonly seconds: number }
  /** The answer in small pieces over so many seconds. */
  | { readonly kind: 'drip'; readonly seconds: number }
  /** 307 to the same path with a slash at its end, or to another URL. */
  | { readonly kind: 'redirect'; readonly to?: string }
  /** A small compressed body that unpacks to so many megabytes. */
  | { readonly kind: 'gzip-bomb'; readonly megabytes: number }
  /** Another content type than the true one; an empty one for none at all. */
  | { readonly kind: 'content-type'; readonly value: string }
  /** The connection breaks before anything was said. */
  | { readonly kind: 'hang-up' }
  /** A spoilt body. */
  | { readonly kind: 'body'; readonly edit: BodyEditName };

/** What the fields of each kind must be. */
const fields: Readonly<Record<Fault['kind'], Readonly<Record<string, (value: unknown) => boolean>>>> = {
  status: { status: value => isWhole(value, 200) && (value as number) <= 599 },
  html: {},
  json: {},
  truncate: { framing: value => value === undefined || value === 'content-length' || value === 'chunked' },
  stall: { seconds: isPositive },
  drip: { seconds: isPositive },
  redirect: { to: value => value === undefined || typeof value === 'string' },
  'gzip-bomb': { megabytes: value => isWhole(value, 1) },
  'content-type': { value: value => typeof value === 'string' },
  'hang-up': {},
  body: { edit: value => typeof value === 'string' && Object.hasOwn(bodyEdits, value) },
};

/** Names of all kinds of fault. */
export const faultKinds: readonly string[] = Object.keys(fields);

/** Checks that a value is a fault. Throws with what would be accepted. */
export function checkedFault(value: unknown): Fault {
  const fault = value as Record<string, unknown> | null;
  const kind = fault?.kind;
  if (typeof kind !== 'string' || !Object.hasOwn(fields, kind)) {
    throw new RangeError(
      `fault kind is ${JSON.stringify(kind)}; one of ${faultKinds.join(', ')} is accepted`,
    );
  }
  const known = { ...fields[kind as Fault['kind']], ...commonFields };
  for (const name of Object.keys(fault!)) {
    if (name !== 'kind' && !Object.hasOwn(known, name)) {
      throw new RangeError(`the fault "${kind}" has no "${name}"; it takes ${Object.keys(known).join(', ')}`);
    }
  }
  for (const [name, accepts] of Object.entries(known)) {
    if (!accepts(fault![name])) throw new RangeError(refusal(kind, name, fault![name]));
  }
  return value as Fault;
}

/** Reads a fault as one writes it on a command line: `kind`, or `kind:field=value,field=value`. Throws if it is none. */
export function parseFault(text: string): Fault {
  const [, kind, rest] = /^([^:]*):?(.*)$/s.exec(text)!;
  const fault: Record<string, unknown> = { kind };
  for (const pair of rest === '' ? [] : rest!.split(',')) {
    const at = pair.indexOf('=');
    if (at < 1) throw new RangeError(`"${pair}" in the fault "${text}" is not of the form field=value`);
    const value = pair.slice(at + 1);
    fault[pair.slice(0, at)] = value !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
  }
  return checkedFault(fault);
}

const commonFields = {
  scrapes: (value: unknown) => value === undefined || isWhole(value, 1),
  page: (value: unknown) => value === undefined || typeof value === 'string',
};

function refusal(kind: string, name: string, value: unknown): string {
  const accepted: Readonly<Record<string, string>> = {
    status: 'a whole number from 200 to 599',
    framing: '"content-length" or "chunked"',
    edit: `one of ${Object.keys(bodyEdits).join(', ')}`,
    scrapes: 'a whole number from 1',
    megabytes: 'a whole number from 1',
    seconds: 'a number above 0',
  };
  return `"${name}" of the fault "${kind}" is ${JSON.stringify(value)}; ${accepted[name] ?? 'a text'} is accepted`;
}

function isWhole(value: unknown, least: number): boolean {
  return Number.isInteger(value) && (value as number) >= least;
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && value > 0;
}
