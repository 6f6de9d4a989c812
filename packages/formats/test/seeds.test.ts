import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { JsonWriter } from '../src/json/jsonWriter.ts';
import { parseJson } from '../src/json/parse.ts';
import { formatPath } from '../src/json/path.ts';
import { validate } from '../src/validate/validate.ts';
import { writeServerMetricsJson } from '../src/write.ts';
import { sharedFolder } from './support/shared.ts';

const seeds = sharedFolder('seeds');

interface Example {
  readonly name: string;
  readonly text: string;
  readonly value: object;
}

/** The JSON examples of the format documents in the shared test data. */
function listExamples(): Example[] {
  if (!seeds) return [];
  return readdirSync(seeds)
    .sort()
    .flatMap(file => {
      const document = readFileSync(join(seeds, file), 'utf8');
      const fenced = [...document.matchAll(/```json\n([\s\S]*?)```/g)].map(match => match[1]!);
      const bare = /^\{\n"schema_version"[\s\S]*?^\}\n\}$/m.exec(document)?.[0];
      return [...fenced, ...(bare ? [bare] : [])].flatMap((text, index) =>
        parseExample(`${file.slice(0, 3)} #${index + 1}`, text),
      );
    });
}

/** Fragments such as `"buckets": {…}`, and texts that contain "...", are not JSON. */
function parseExample(name: string, text: string): Example[] {
  for (const whole of [text, `{${text}}`])
    try {
      return [{ name, text: whole, value: parseJson(whole).value as object }];
    } catch {}
  return [];
}

const all = listExamples();
const documents = all.filter(({ value }) => 'schema_version' in value || 'timestamp_ns' in value);
const series = all.filter(
  ({ value }) => 'endpoint_url' in value && ('stats' in value || 'endpoint' in value),
);

describe.skipIf(!seeds)('complete examples of the format documents', () => {
  it('are all found', () => {
    expect(documents.map(({ name }) => name.slice(0, 3))).toEqual(['001', '002', '002', '004']);
    expect(series.length).toBeGreaterThanOrEqual(10);
  });

  it.each(documents)('$name is valid', async ({ text }) => {
    expect(await validate(text)).toMatchObject({ valid: true, issues: [] });
  });

  it.each(documents)('$name is read and written without loss', async ({ text, value }) => {
    if (!('summary' in value)) return;
    const again = writeServerMetricsJson(value as never);
    expect(parseJson(again).value).toEqual(value);
    for (const [digits] of text.matchAll(/\d{19}/g)) expect(again).toContain(digits);
  });
});

describe.skipIf(!seeds)('series in the format documents', () => {
  it.each(series)('$name is valid in a document', async ({ value }) => {
    const document = 'endpoint' in value ? buildFlatDocument(value) : buildDocument(value as Series);
    expect(await validate(document)).toMatchObject({ valid: true, issues: [] });
  });

  it('accepts an info metric of the flat layout', async () => {
    const info = all.find(({ value }) => 'vllm:cache_config_info' in value)!;
    expect(await validate(buildFlatDocument({}, info.value))).toMatchObject({
      version: 'legacy',
      valid: true,
    });
  });
});

interface Series {
  readonly endpoint_url: string;
  readonly stats: object;
}

function buildDocument(one: Series): object {
  const type = 'total' in one.stats ? 'counter' : 'count' in one.stats ? 'histogram' : 'gauge';
  const { endpoint_url: url } = one;
  const info = {
    total_fetches: 1,
    first_fetch_ns: 1765411635103733481n,
    last_fetch_ns: 1765411658103733481n,
  };
  const updates = {
    unique_updates: 1,
    first_update_ns: info.first_fetch_ns,
    last_update_ns: info.last_fetch_ns,
  };
  const times = { avg_fetch_latency_ms: 1, duration_seconds: 23, avg_update_interval_ms: 0 };
  return {
    schema_version: '1.0',
    summary: { ...buildSummary(url), endpoint_info: { [url]: { ...info, ...updates, ...times } } },
    metrics: { example: { type, description: '', series: [one] } },
    input_config: {},
  };
}

function buildSummary(endpoint: string): object {
  return {
    endpoints_configured: [endpoint],
    endpoints_successful: [endpoint],
    start_time: '2025-12-06T08:52:09.880074',
    end_time: '2025-12-06T08:52:30.688461',
  };
}

function buildFlatDocument(one: object, metrics?: object): object {
  const type =
    'quantiles' in one ? 'summary' : 'buckets' in one ? 'histogram' : 'delta' in one ? 'counter' : 'gauge';
  const endpoint = metrics ? 'localhost:10001' : 'localhost:10000';
  const info = { endpoint_url: `http://${endpoint}/metrics`, duration_seconds: 24, scrape_count: 68 };
  const rates = { avg_scrape_latency_ms: 325.94, avg_scrape_period_ms: 325.12 };
  return {
    summary: { ...buildSummary(endpoint), endpoint_info: { [endpoint]: { ...info, ...rates } } },
    metrics: metrics ?? { example: { type, description: '', series: [one] } },
  };
}

type Step = string | number;

/** Paths in an example, one per kind: `series[1]` is not tested if `series[0]` is. */
function listPlaces(value: unknown, path: readonly Step[] = []): (readonly Step[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? (value.length > 0 ? [0] : []) : Object.keys(value);
  return [
    path,
    ...keys.flatMap(key => listPlaces((value as Record<Step, unknown>)[key], [...path, key])),
  ].filter(place => place.length > 0 && place[0] !== 'input_config');
}

function at(value: unknown, path: readonly Step[]): unknown {
  return path.reduce((found, key) => (found as Record<Step, unknown>)[key], value);
}

function changeField(
  text: string,
  path: readonly Step[],
  change: (parent: Record<Step, unknown>, key: Step) => void,
): string {
  const { value } = parseJson(text);
  change(at(value, path.slice(0, -1)) as Record<Step, unknown>, path.at(-1)!);
  return new JsonWriter(2).stringify(value);
}

/** Optional fields, by their key or their parent's key. */
const optional = new Set([
  ...[
    'labels',
    'timeslices',
    'unit',
    'buckets',
    'aiperf_version',
    'benchmark_id',
    'median_update_interval_ms',
  ],
  ...['request_sent_ns', 'first_byte_ns'],
]);
const optionalBelow = new Set(['labels', 'metrics', 'endpoint_info']);
/** Statistics that are required in a profile export. */
const profileRequired = new Set(['unit', 'count', 'schema_version']);

function mayBeAbsent(path: readonly Step[], isProfile: boolean): boolean {
  const key = path.at(-1)!;
  const above = path.at(-2);
  if (typeof key === 'number') return true;
  if (isProfile) return !profileRequired.has(key);
  // A missing bucket cannot be detected, unless it is +Inf.
  if (above === 'buckets') return key !== '+Inf';
  return optional.has(key) || (typeof above === 'string' && optionalBelow.has(above) && key !== 'stats');
}

describe.skipIf(!seeds)('modified examples of the format documents', () => {
  it.each(documents)('$name, a field removed', async ({ text, value }) => {
    const isProfile = !('metrics' in value);
    for (const path of listPlaces(value).filter(place => !mayBeAbsent(place, isProfile))) {
      const { valid, issues } = await validate(changeField(text, path, (parent, key) => delete parent[key]));
      const expected = path.at(-2) === 'buckets' ? path.slice(0, -1) : path;
      expect({ valid, named: issues.map(issue => issue.path) }, formatPath(path)).toEqual({
        valid: false,
        named: expect.arrayContaining([formatPath(expected)]),
      });
    }
  });

  it.each(documents)('$name, a type changed', async ({ text, value }) => {
    for (const path of listPlaces(value)) {
      const other = typeof at(value, path) === 'string' ? 5 : 'five';
      const { valid, issues } = await validate(
        changeField(text, path, (parent, key) => (parent[key] = other)),
      );
      // A metric block that is not an object is an unknown field.
      if (valid && path.length === 1 && !('metrics' in value)) continue;
      expect({ valid, named: issues.map(issue => issue.path) }, formatPath(path)).toEqual({
        valid: false,
        named: expect.arrayContaining([formatPath(path)]),
      });
    }
  });

  it.each(documents)('$name, a count below zero', async ({ text, value }) => {
    const counts = listPlaces(value).filter(
      path =>
        /^(count|total|unique_updates|total_fetches)$/.test(String(path.at(-1))) || path.at(-2) === 'buckets',
    );
    expect(counts.length).toBeGreaterThan(0);
    for (const path of counts) {
      const { valid, issues } = await validate(changeField(text, path, (parent, key) => (parent[key] = -1)));
      expect(valid).toBe(false);
      expect(issues.map(issue => issue.path)).toContain(formatPath(path));
    }
  });

  it.each(documents)('$name, buckets that fall', async ({ text, value }) => {
    const buckets = listPlaces(value).filter(path => path.at(-1) === 'buckets' && at(value, path) !== null);
    for (const path of buckets) {
      const spoiled = changeField(text, path, (parent, key) => {
        const counts = parent[key] as Record<string, number>;
        const first = Object.keys(counts)[0]!;
        counts[first] = counts['+Inf']! + 1;
      });
      const { valid, issues } = await validate(spoiled);
      expect(valid).toBe(false);
      expect(
        issues.some(issue => issue.rule === 'buckets-monotone' && issue.path.startsWith(formatPath(path))),
      ).toBe(true);
    }
  });
});
