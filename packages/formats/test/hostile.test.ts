import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromPath } from '../src/source/input.ts';
import { validate } from '../src/validate/validate.ts';

// Hostile Parquet files are tested in parquet/read/hostileFooter.test.ts and hostilePages.test.ts.
const samplesFolder = join(import.meta.dirname, 'files/valid');
const json = readFileSync(join(samplesFolder, 'server-metrics.json'), 'utf8');
const profile = readFileSync(join(samplesFolder, 'profile-export-1.3.json'), 'utf8');
const jsonl = readFileSync(join(samplesFolder, 'server-metrics.jsonl'), 'utf8');
const aggregate = readFileSync(join(samplesFolder, 'profile-aggregate.json'), 'utf8');
const csv = readFileSync(join(samplesFolder, 'server-metrics.csv'), 'utf8');
const record = '{"endpoint_url": "http://a/metrics", "timestamp_ns": 1765793061967310848, "metrics": ';

let folder = '';
let rssBeforeBytes = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'formats-hostile-'));
  rssBeforeBytes = process.memoryUsage().rss;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns a document whose `metrics` field is the given JSON text. */
const createDocument = (metrics: string): string =>
  `{"schema_version": "1.0", "summary": {"endpoints_configured": []}, "metrics": ${metrics}}`;
const nestObjects = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const digits = '9'.repeat(2_000_000);

/** Returns 100,000 URLs as JSON array items, each followed by a comma. */
const listUrls = (host: string): string =>
  Array.from({ length: 100_000 }, (_, i) => `"http://${host}${i}/metrics",`).join('');

type Case = readonly [name: string, input: string | Uint8Array, rule: string, message?: string];

describe('hostile text', () => {
  test.each<Case>([
    [
      'JSON with objects nested too deeply in a metric',
      createDocument(nestObjects(200_000)),
      'json-syntax',
      'nested more than 512 levels deep',
    ],
    [
      'JSON with arrays nested too deeply',
      '['.repeat(1_000_000),
      'json-syntax',
      'nested more than 512 levels deep',
    ],
    ['JSON with nesting just below the limit', createDocument(`{"x": ${nestObjects(450)}}`), 'field-missing'],
    [
      'JSON with a timestamp of two million digits',
      json.replace(/"timestamp_ns": \d+|"start_ns": \d+/, `"start_ns": ${digits}`),
      'field-type',
      'Infinity',
    ],
    [
      'JSON with a count of two million digits',
      json.replace(/"count": \d+/, `"count": ${digits}`),
      'field-type',
      'Infinity',
    ],
    [
      'JSON with a number outside the range of doubles',
      json.replace(/"avg": [\d.]+/, '"avg": 1e999999999'),
      'field-type',
      'Infinity',
    ],
    [
      'JSON with 200,000 duplicates of a key',
      createDocument(`{${'"a": 1, '.repeat(200_000)}"a": 2}`),
      'json-duplicate-key',
    ],
    [
      'JSON with 40,000 empty series',
      createDocument(`{"a": {"type": "gauge", "series": [${'{},'.repeat(40_000)}{}]}}`),
      'field-missing',
    ],
    [
      'JSON with 20,000 empty metrics',
      createDocument(`{${Array.from({ length: 20_000 }, (_, i) => `"k${i}": {}`).join()}}`),
      'field-missing',
    ],
    ['JSON truncated in the middle', json.slice(0, json.length / 2), 'json-syntax'],
    ['zero bytes', new Uint8Array(100_000), 'json-syntax'],
    [
      'JSON with an overlong UTF-8 sequence',
      Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22]),
      'text-encoding',
      'byte 2',
    ],
    [
      'JSON with a surrogate encoded in UTF-8',
      Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22]),
      'text-encoding',
      'is not valid UTF-8',
    ],
    [
      'JSON lines that are not UTF-8',
      Buffer.concat([Buffer.from(jsonl), Buffer.from('{"endpoint_url": "\xff"}\n', 'latin1')]),
      'text-encoding',
    ],
    [
      'JSON lines with nesting that is too deep',
      `${jsonl}${record}${nestObjects(200_000)}}\n`,
      'json-syntax',
      'nested more than 512 levels deep',
    ],
    ['JSON lines whose last line is truncated', jsonl.slice(0, -40), 'json-syntax', 'the line is incomplete'],
    ['JSON lines with a duplicate key', jsonl.replace('{', '{"endpoint_url": "x", '), 'json-duplicate-key'],
    ['20,000 invalid JSON lines', '{"endpoint_url": 1}\n'.repeat(20_000), 'field-missing'],
    [
      'JSON lines with a number of two million digits',
      jsonl.replace(/"timestamp_ns": ?\d+/, `"timestamp_ns": ${digits}`),
      'field-type',
      'Infinity',
    ],
    [
      'JSON lines with a line of 70 MB',
      `${jsonl}${'x'.repeat(70_000_000)}`,
      'file-unreadable',
      'longer than 67108864 bytes',
    ],
    ['CSV with an unclosed quote', `${csv}"${'a,b\n'.repeat(200_000)}`, 'csv-syntax', 'Quote Not Closed'],
    ['CSV truncated in its header', csv.slice(0, csv.indexOf('\n') / 2), 'csv-header'],
    ['CSV that is not UTF-8', Buffer.concat([Buffer.from(csv), Buffer.from([0xff])]), 'text-encoding'],
    ['CSV with 100,000 columns', `Endpoint,Type,Metric,Unit${',x'.repeat(100_000)}\n`, 'csv-header'],
    ['CSV with 10,000 rows without values', `${csv}\n${'a,gauge,b,c,d\n'.repeat(10_000)}`, 'field-missing'],
    ['CSV with 20,000 headers', 'Endpoint,Type\n\n'.repeat(20_000), 'csv-header'],
    [
      'CSV with 100,000 duplicates of a bucket bound',
      csv.replace(/[\d.]+=\d+;/, '0.1=1;'.repeat(100_000)),
      'csv-cell',
      'twice',
    ],
    [
      'CSV with 20,000 label columns',
      csv.replace(
        /,Description\n/,
        `${Array.from({ length: 20_000 }, (_, i) => `,l${i}`).join('')},Description\n`,
      ),
      'csv-cell',
      'columns',
    ],
    ['CSV with a statistic between labels', csv.replace(',avg,', ',zone,avg,'), 'csv-header'],
    [
      'JSON with 100,000 endpoints that are not configured',
      json
        .replace('"endpoints_successful": [', `$&${listUrls('a')}`)
        .replace('"endpoints_configured": [', `$&${listUrls('b')}`),
      'endpoint-unlisted',
    ],
    [
      'an aggregate of 100,000 runs',
      aggregate.replace('"run_labels": [', `$&${listUrls('a')}`),
      'runs-count',
    ],
    [
      'JSON with a version of two million digits',
      json.replace('"1.0"', `"1.${digits}"`),
      'field-value',
      '1.999',
    ],
    ['JSON with a key of two million digits', json.replace('"p50":', `"${digits}": 1, $&`), 'field-unknown'],
    [
      'JSON with an endpoint name of two million digits',
      json.replace('"endpoints_successful": [', `$&"${digits}",`),
      'endpoint-unlisted',
    ],
  ])('is rejected with a short message: %s', async (_, input, rule, message = '') => {
    const { valid, version, issues } = await validate(input!, { strict: true });
    expect(valid).toBe(false);
    expect(issues.length).toBeLessThanOrEqual(1000);
    const messages = issues.filter(issue => issue.rule === rule).map(issue => issue.message);
    expect(messages.join('\n')).toContain(message);
    expect(messages.length, JSON.stringify(issues.slice(0, 3))).toBeGreaterThan(0);
    for (const { place, message } of issues) expect(place.length + message.length).toBeLessThan(2000);
    expect((version ?? '').length).toBeLessThan(50);
  });
});

describe('a sparse file of 10 GB is rejected', () => {
  test.each([
    ['as JSON that is too large to read', 'export.json', json.slice(0, 100), 'more than the'],
    ['as CSV that is too large to read', 'export.csv', csv, 'more than the'],
    ['as JSON lines with a line that is too long', 'export.jsonl', jsonl, 'line 4: longer than'],
    ['as Parquet without the magic bytes at its end', 'export.parquet', 'PAR1', 'not a Parquet file'],
  ])('%s', async (_, name, head, message) => {
    const path = join(folder, name);
    writeFileSync(path, head);
    truncateSync(path, 10_000_000_000);
    const { valid, issues } = await validate(fromPath(path));
    rmSync(path);
    expect(valid).toBe(false);
    expect(issues).toHaveLength(1);
    expect(issues[0]!.message).toContain(message);
  });
});

test('labels and fields named __proto__ are ordinary and do not change prototypes', async () => {
  const names = ['__proto__', 'constructor', 'toString'];
  for (const name of names) {
    const texts = [
      json.replace('{', `{"${name}": {"polluted": 1},`),
      json.replace(/"labels": \{/g, `"labels": {"${name}": "x", `),
      json.replace('"metrics": {', `"metrics": {"${name}": {"polluted": 1}, `),
      profile.replace('{', `{"${name}": {"polluted": 1},`),
      jsonl.replace(/"metrics": ?\{/, `"metrics": {"${name}": [{"polluted": 1}], `),
      csv.replaceAll('Description', `${name},Description`),
    ];
    for (const text of texts) await validate(text, { strict: true });
    const { issues } = await validate(texts[2]!);
    expect(issues.map(issue => issue.place).join('\n')).toContain(name);
  }
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test.each([
  ['JSON', json],
  ['a profile', profile],
  ['JSON lines', jsonl],
  ['CSV', csv],
])('%s with random changes is validated without an exception', async (_, text) => {
  const bytes = Buffer.from(text);
  const change = fc.record({
    at: fc.nat(bytes.length - 1),
    remove: fc.nat(20),
    insert: fc.oneof(
      fc.uint8Array({ maxLength: 8 }),
      fc.constantFrom('{', '}', '"', ',', '\n', '__proto__', '1e999').map(text => Buffer.from(text)),
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async changes => {
      let changed = bytes;
      for (const { at, remove, insert } of changes)
        changed = Buffer.concat([changed.subarray(0, at), insert, changed.subarray(at + remove)]);
      const result = await validate(changed, { strict: true });
      expect(result.valid).toBe(result.issues.length === 0);
    }),
    { numRuns: 150 },
  );
});

test('the tests above increase the resident memory by less than 1 GiB', () => {
  expect(process.memoryUsage().rss - rssBeforeBytes).toBeLessThan(1 << 30);
});
