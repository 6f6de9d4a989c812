import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { JsonWriter } from '../src/json/jsonWriter.ts';
import { parseJson } from '../src/json/parse.ts';
import { formatPath } from '../src/json/path.ts';
import { validate } from '../src/validate/validate.ts';
import { writeServerMetricsJson } from '../src/write.ts';
import { findSharedFolder } from './support/shared.ts';

const seedsFolder = findSharedFolder('seeds');

interface Example {
  readonly name: string;
  readonly text: string;
  readonly value: object;
}

/** Lists the JSON examples of the format documents in the shared test data. */
function listExamples(): Example[] {
  if (!seedsFolder) return [];
  return readdirSync(seedsFolder)
    .sort()
    .flatMap(file => {
      const document = readFileSync(join(seedsFolder, file), 'utf8');
      const fenced = [...document.matchAll(/```json\n([\s\S]*?)```/g)].map(match => match[1]!);
      const bare = /^\{\n"schema_version"[\s\S]*?^\}\n\}$/m.exec(document)?.[0];
      return [...fenced, ...(bare ? [bare] : [])].flatMap((text, index) =>
        parseExample(`${file.slice(0, 3)} #${index + 1}`, text),
      );
    });
}

/** Parses an example. Adds braces to fragments such as `"buckets": {…}`, and skips texts that contain "...". */
function parseExample(name: string, text: string): Example[] {
  for (const candidate of [text, `{${text}}`])
    try {
      return [{ name, text: candidate, value: parseJson(candidate).value as object }];
    } catch {}
  return [];
}

const examples = listExamples();
const documents = examples.filter(({ value }) => 'schema_version' in value || 'timestamp_ns' in value);
const series = examples.filter(
  ({ value }) => 'endpoint_url' in value && ('stats' in value || 'endpoint' in value),
);

describe.skipIf(!seedsFolder)('complete examples of the format documents', () => {
  it('are all found', () => {
    expect(documents.map(({ name }) => name.slice(0, 3))).toEqual(['001', '002', '002', '004']);
    expect(series.length).toBeGreaterThanOrEqual(10);
  });

  it.each(documents)('$name is valid', async ({ text }) => {
    expect(await validate(text)).toMatchObject({ valid: true, issues: [] });
  });

  it.each(documents)('$name is read and written without loss', async ({ text, value }) => {
    if (!('summary' in value)) return;
    const rewritten = writeServerMetricsJson(value as never);
    expect(parseJson(rewritten).value).toEqual(value);
    for (const [digits] of text.matchAll(/\d{19}/g)) expect(rewritten).toContain(digits);
  });
});

describe.skipIf(!seedsFolder)('series in the format documents', () => {
  it.each(series)('$name is valid in a document', async ({ value }) => {
    const document = 'endpoint' in value ? buildFlatDocument(value) : buildDocument(value as Series);
    expect(await validate(document)).toMatchObject({ valid: true, issues: [] });
  });

  it('accepts an info metric of the flat layout', async () => {
    const info = examples.find(({ value }) => 'vllm:cache_config_info' in value)!;
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

/** Builds a valid document of schema 1.0 with a single series. */
function buildDocument(series: Series): object {
  const type = 'total' in series.stats ? 'counter' : 'count' in series.stats ? 'histogram' : 'gauge';
  const { endpoint_url: url } = series;
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
    metrics: { example: { type, description: '', series: [series] } },
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

/** Builds a valid document in the flat layout with a single series, or with the given metrics. */
function buildFlatDocument(series: object, metrics?: object): object {
  const type =
    'quantiles' in series
      ? 'summary'
      : 'buckets' in series
        ? 'histogram'
        : 'delta' in series
          ? 'counter'
          : 'gauge';
  const endpoint = metrics ? 'localhost:10001' : 'localhost:10000';
  const info = { endpoint_url: `http://${endpoint}/metrics`, duration_seconds: 24, scrape_count: 68 };
  const rates = { avg_scrape_latency_ms: 325.94, avg_scrape_period_ms: 325.12 };
  return {
    summary: { ...buildSummary(endpoint), endpoint_info: { [endpoint]: { ...info, ...rates } } },
    metrics: metrics ?? { example: { type, description: '', series: [series] } },
  };
}

type Step = string | number;

/** Lists the paths of all fields in an example, with only the first item of each array. */
function listPaths(value: unknown, path: readonly Step[] = []): (readonly Step[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? (value.length > 0 ? [0] : []) : Object.keys(value);
  return [
    path,
    ...keys.flatMap(key => listPaths((value as Record<Step, unknown>)[key], [...path, key])),
  ].filter(path => path.length > 0 && path[0] !== 'input_config');
}

/** Returns the value at a path. */
function getAt(value: unknown, path: readonly Step[]): unknown {
  return path.reduce((found, key) => (found as Record<Step, unknown>)[key], value);
}

/** Applies `change` to the field at a path of a JSON text, and returns the changed text. */
function changeField(
  text: string,
  path: readonly Step[],
  change: (parent: Record<Step, unknown>, key: Step) => void,
): string {
  const { value } = parseJson(text);
  change(getAt(value, path.slice(0, -1)) as Record<Step, unknown>, path.at(-1)!);
  return new JsonWriter(2).stringify(value);
}

/** Keys of fields that a document can omit. */
const OPTIONAL_FIELDS = new Set([
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
/** Keys of objects whose members a document can omit. */
const OPTIONAL_MEMBERS_OF = new Set(['labels', 'metrics', 'endpoint_info']);
/** Keys of fields that a profile export must contain. */
const REQUIRED_PROFILE_FIELDS = new Set(['unit', 'count', 'schema_version']);

/** Reports whether a document remains valid without the field at a path. */
function isOptional(path: readonly Step[], isProfile: boolean): boolean {
  const key = path.at(-1)!;
  const parentKey = path.at(-2);
  if (typeof key === 'number') return true;
  if (isProfile) return !REQUIRED_PROFILE_FIELDS.has(key);
  // A missing bucket cannot be detected, unless it is +Inf.
  if (parentKey === 'buckets') return key !== '+Inf';
  // A sample of JSONL has no sum if the server does not return it.
  if (key === 'sum') return typeof parentKey === 'number';
  return (
    OPTIONAL_FIELDS.has(key) ||
    (typeof parentKey === 'string' && OPTIONAL_MEMBERS_OF.has(parentKey) && key !== 'stats')
  );
}

describe.skipIf(!seedsFolder)('modified examples of the format documents', () => {
  it.each(documents)('$name is invalid without any required field', async ({ text, value }) => {
    const isProfile = !('metrics' in value);
    for (const path of listPaths(value).filter(fieldPath => !isOptional(fieldPath, isProfile))) {
      const { valid, issues } = await validate(changeField(text, path, (parent, key) => delete parent[key]));
      const expected = path.at(-2) === 'buckets' ? path.slice(0, -1) : path;
      expect({ valid, paths: issues.map(issue => issue.place) }, formatPath(path)).toEqual({
        valid: false,
        paths: expect.arrayContaining([formatPath(expected)]),
      });
    }
  });

  it.each(documents)('$name is invalid if any field has another type', async ({ text, value }) => {
    for (const path of listPaths(value)) {
      const other = typeof getAt(value, path) === 'string' ? 5 : 'five';
      const { valid, issues } = await validate(
        changeField(text, path, (parent, key) => (parent[key] = other)),
      );
      // A metric block that is not an object is an unknown field.
      if (valid && path.length === 1 && !('metrics' in value)) continue;
      expect({ valid, paths: issues.map(issue => issue.place) }, formatPath(path)).toEqual({
        valid: false,
        paths: expect.arrayContaining([formatPath(path)]),
      });
    }
  });

  it.each(documents)('$name is invalid with a negative count', async ({ text, value }) => {
    const counts = listPaths(value).filter(
      path =>
        /^(count|total|unique_updates|total_fetches)$/.test(String(path.at(-1))) || path.at(-2) === 'buckets',
    );
    expect(counts.length).toBeGreaterThan(0);
    for (const path of counts) {
      const { valid, issues } = await validate(changeField(text, path, (parent, key) => (parent[key] = -1)));
      expect(valid).toBe(false);
      expect(issues.map(issue => issue.place)).toContain(formatPath(path));
    }
  });

  it.each(documents)('$name is invalid with decreasing buckets', async ({ text, value }) => {
    const buckets = listPaths(value).filter(path => path.at(-1) === 'buckets' && getAt(value, path) !== null);
    for (const path of buckets) {
      const changed = changeField(text, path, (parent, key) => {
        const counts = parent[key] as Record<string, number>;
        const first = Object.keys(counts)[0]!;
        counts[first] = counts['+Inf']! + 1;
      });
      const { valid, issues } = await validate(changed);
      expect(valid).toBe(false);
      expect(
        issues.some(issue => issue.rule === 'buckets-monotone' && issue.place.startsWith(formatPath(path))),
      ).toBe(true);
    }
  });
});
