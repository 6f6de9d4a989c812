import type { ServerFault } from './serverFault.ts';

/** A fault to inject. */
export type Fault = ScrapeFault | ServerFault;

/** A fault to inject into scrapes of the metrics pages. */
export type ScrapeFault = FaultKind & {
  /** Number of scrapes that the fault affects; all scrapes by default. */
  readonly scrapes?: number;
  /** Affects only every Nth scrape, so that a page is sometimes complete and sometimes not. */
  readonly every?: number;
  /** Name of the page that the fault affects; all pages by default. */
  readonly page?: string;
};

type FaultKind =
  /** Responds with the given status, such as 401, 404 or 503. */
  | { readonly kind: 'status'; readonly status: number }
  /** Responds with an HTML page and status 200. */
  | { readonly kind: 'html' }
  /** Closes the connection after half of the body. */
  | { readonly kind: 'truncate'; readonly framing?: 'content-length' | 'chunked' }
  /** Delays the response. */
  | { readonly kind: 'stall'; readonly seconds: number }
  /** Redirects (307) to `to`, or to the same path with a trailing slash. */
  | { readonly kind: 'redirect'; readonly to?: string }
  /** Leaves out all metrics whose names start with `metric`. */
  | { readonly kind: 'omit'; readonly metric: string };

/** A check of one field, and a description of its valid values for error messages. */
interface FieldRule {
  readonly accepts: (value: unknown) => boolean;
  readonly expected: string;
}

const OPTIONAL_COUNT: FieldRule = {
  accepts: value => value === undefined || isIntegerFrom(1, value),
  expected: 'an integer of at least 1',
};

const COUNT: FieldRule = { accepts: value => isIntegerFrom(1, value), expected: 'an integer of at least 1' };

const INDEX: FieldRule = { accepts: value => isIntegerFrom(0, value), expected: 'an integer of at least 0' };

const OPTIONAL_INDEX: FieldRule = {
  accepts: value => value === undefined || isIntegerFrom(0, value),
  expected: 'an integer of at least 0',
};

const SECONDS: FieldRule = {
  accepts: value => typeof value === 'number' && value > 0,
  expected: 'a number greater than 0',
};

const COMMON_FIELDS: Readonly<Record<string, FieldRule>> = {
  scrapes: OPTIONAL_COUNT,
  every: OPTIONAL_COUNT,
  page: { accepts: isOptionalString, expected: 'a string' },
};

const FIELDS: Readonly<Record<ScrapeFault['kind'], Readonly<Record<string, FieldRule>>>> = {
  status: {
    status: {
      accepts: value => isIntegerFrom(200, value) && (value as number) <= 599,
      expected: 'an integer from 200 to 599',
    },
  },
  html: {},
  truncate: {
    framing: {
      accepts: value => value === undefined || value === 'content-length' || value === 'chunked',
      expected: '"content-length" or "chunked"',
    },
  },
  stall: { seconds: SECONDS },
  redirect: { to: { accepts: isOptionalString, expected: 'a string' } },
  omit: {
    metric: {
      accepts: value => typeof value === 'string' && value !== '',
      expected: 'the start of the name of a metric',
    },
  },
};

/** The fields of faults of the server. */
const SERVER_FIELDS: Readonly<Record<ServerFault['kind'], Readonly<Record<string, FieldRule>>>> = {
  sleep: { engine: OPTIONAL_INDEX },
  slow: {
    engine: INDEX,
    factor: {
      accepts: value => typeof value === 'number' && value >= 1,
      expected: 'a number of at least 1',
    },
  },
  'nan-logits': { requests: COUNT },
  'kv-transfer': { requests: COUNT },
  'rejected-drafts': { tokens: COUNT },
  flap: { up: SECONDS, down: SECONDS },
  'gpu-throttle': {
    cause: { accepts: value => value === 'heat' || value === 'power', expected: '"heat" or "power"' },
    gpu: OPTIONAL_INDEX,
  },
  'gpu-xid': { code: COUNT, gpu: OPTIONAL_INDEX },
};

/** The kinds of faults. */
export const FAULT_KINDS: readonly string[] = [...Object.keys(FIELDS), ...Object.keys(SERVER_FIELDS)];

/** Returns a value as a fault. Throws RangeError if the value is not a valid fault. */
export function validateFault(value: unknown): Fault {
  const fault = value as Record<string, unknown> | null;
  const kind = fault?.kind;
  const rules = typeof kind === 'string' ? findRules(kind) : undefined;
  if (!rules) {
    throw new RangeError(
      `invalid fault kind ${JSON.stringify(kind)}: expected one of ${FAULT_KINDS.join(', ')}`,
    );
  }
  for (const name of Object.keys(fault!)) {
    if (name !== 'kind' && !Object.hasOwn(rules, name)) {
      const names = Object.keys(rules).join(', ');
      throw new RangeError(`invalid fault "${kind}": unknown field "${name}"; expected one of ${names}`);
    }
  }
  for (const [name, { accepts, expected }] of Object.entries(rules)) {
    if (accepts(fault![name])) continue;
    const given =
      fault![name] === undefined
        ? `missing field "${name}"`
        : `invalid ${name} ${JSON.stringify(fault![name])}`;
    throw new RangeError(`invalid fault "${kind}": ${given}; expected ${expected}`);
  }
  return value as Fault;
}

/** Returns the rules for the fields of a kind of fault; undefined if the kind does not exist. */
function findRules(kind: string): Readonly<Record<string, FieldRule>> | undefined {
  if (Object.hasOwn(SERVER_FIELDS, kind)) return SERVER_FIELDS[kind as ServerFault['kind']];
  return Object.hasOwn(FIELDS, kind)
    ? { ...FIELDS[kind as ScrapeFault['kind']], ...COMMON_FIELDS }
    : undefined;
}

/** Parses a fault in the command-line form `kind` or `kind:field=value,...`. Throws RangeError if it is invalid. */
export function parseFault(text: string): Fault {
  const [, kind, fields] = /^([^:]*):?(.*)$/s.exec(text)!;
  const fault: Record<string, unknown> = { kind };
  for (const pair of fields === '' ? [] : fields!.split(',')) {
    const equals = pair.indexOf('=');
    if (equals < 1)
      throw new RangeError(`invalid fault "${text}": expected FIELD=VALUE instead of "${pair}"`);
    const value = pair.slice(equals + 1);
    fault[pair.slice(0, equals)] = value !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
  }
  return validateFault(fault);
}

function isIntegerFrom(min: number, value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= min;
}

function isOptionalString(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}
