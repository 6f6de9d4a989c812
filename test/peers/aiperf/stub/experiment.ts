import type { LoggedRequest } from './requestServer.ts';

/** Numbers of one kind, such as lengths of prompts. */
export interface Numbers {
  readonly count: number;
  readonly mean: number;
  /** Standard deviation, with n as the divisor. */
  readonly deviation: number;
}

/** The load of a program, as a server sees it. */
export interface Experiment {
  /** Number of requests by path. */
  readonly requests: Readonly<Record<string, number>>;
  /** Number of different bodies. */
  readonly differentBodies: number;
  readonly sessions: number;
  /** Largest number of requests at the same time. */
  readonly peak: number;
  /** Values of each field of the bodies, by path such as `messages[].role`. Texts and numbers of tokens are left out. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Headers that do not depend on the request. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** Lengths of all texts of a request together, in bytes. */
  readonly texts: Numbers;
  readonly outputTokens: Numbers;
  /** Times between arrivals, in milliseconds. */
  readonly gaps: Numbers;
}

/** Fields whose value is a text for the model. */
const TEXT_FIELDS =
  /(^|\.)(content|text|prompt|input|inputs|instructions|system|query|passages|documents|texts)(\[\])*$/;
/** Fields whose value is a number of output tokens. */
const TOKEN_FIELDS = /(^|\.)(max_tokens|max_completion_tokens|max_output_tokens|max_new_tokens)$/;
/** Headers whose value is different in each request or run. */
const VARIABLE_HEADERS = ['host', 'content-length', 'x-request-id', 'x-correlation-id', 'x-session-affinity'];

/** Summarizes the requests that a server received from one program. */
export function describeExperiment(requests: readonly LoggedRequest[]): Experiment {
  const fields = new Map<string, Set<string>>();
  const headers = new Map<string, Set<string>>();
  const paths: Record<string, number> = {};
  const [texts, outputTokens]: [number[], number[]] = [[], []];
  for (const { path, body, headers: sent } of requests) {
    paths[path] = (paths[path] ?? 0) + 1;
    let length = 0;
    for (const [field, value] of listFields(body)) {
      if (typeof value === 'string' && TEXT_FIELDS.test(field)) length += Buffer.byteLength(value);
      else if (TOKEN_FIELDS.test(field)) outputTokens.push(Number(value));
      addValue(fields, field, describeValue(field, value));
    }
    texts.push(length);
    for (const [name, value] of Object.entries(sent))
      addValue(headers, name, VARIABLE_HEADERS.includes(name) ? '' : value);
  }
  const arrivals = requests.map(({ arrivedMs }) => arrivedMs);
  return {
    requests: paths,
    differentBodies: new Set(requests.map(({ body }) => JSON.stringify(body))).size,
    sessions: new Set(requests.map(({ headers: sent }) => sent['x-correlation-id'])).size,
    peak: findPeak(requests),
    fields: toRecord(fields),
    headers: toRecord(headers),
    texts: summarize(texts),
    outputTokens: summarize(outputTokens),
    gaps: summarize(arrivals.slice(1).map((time, index) => time - arrivals[index]!)),
  };
}

/** Lists the texts of all requests, sorted. */
export function listTexts(requests: readonly LoggedRequest[]): string[] {
  return requests
    .flatMap(({ body }) => listFields(body))
    .flatMap(([field, value]) => (typeof value === 'string' && TEXT_FIELDS.test(field) ? [value] : []))
    .sort();
}

/** Describes a value that both programs should send. Of random texts and media, only the type is compared. */
function describeValue(field: string, value: unknown): string {
  if (isVariable(field, value) || field.endsWith('.input_audio.data')) return typeof value;
  const [, mediaType] = /^(data:[^,]*),/.exec(String(value)) ?? [];
  return mediaType ?? JSON.stringify(value);
}

function isVariable(field: string, value: unknown): boolean {
  return TOKEN_FIELDS.test(field) || (typeof value === 'string' && TEXT_FIELDS.test(field));
}

/** Lists the fields of a body with their paths; all items of a list have the same path. */
function listFields(value: unknown, path = ''): [path: string, value: unknown][] {
  if (Array.isArray(value)) return value.flatMap(item => listFields(item, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, item]) =>
    listFields(item, path === '' ? key : `${path}.${key}`),
  );
}

function addValue(values: Map<string, Set<string>>, key: string, value: string): void {
  values.set(key, (values.get(key) ?? new Set()).add(value));
}

function toRecord(values: ReadonlyMap<string, ReadonlySet<string>>): Record<string, string[]> {
  return Object.fromEntries([...values].map(([key, set]) => [key, [...set].sort()]));
}

function findPeak(requests: readonly LoggedRequest[]): number {
  const changes = requests
    .flatMap(({ arrivedMs, endedMs }): [number, number][] => [
      [arrivedMs, 1],
      [endedMs ?? arrivedMs, -1],
    ])
    // At the same time, a request ends before the next one begins.
    .sort(([time, change], [otherTime, otherChange]) => time - otherTime || change - otherChange);
  let open = 0;
  return Math.max(
    0,
    ...changes.map(([, change]) => {
      open += change;
      return open;
    }),
  );
}

function summarize(values: readonly number[]): Numbers {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count;
  return { count, mean, deviation: Math.sqrt(variance) };
}
