import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { ServerMetricsDocument } from '../../src/index.ts';
import {
  convertLegacyServerMetrics,
  FormatError,
  listProfileMetrics,
  readProfileExport,
  readServerMetrics,
  readServerMetricsJson,
  type ServerMetricsView,
} from '../../src/read.ts';
import { type FilePath, fromPath } from '../../src/source/input.ts';

const getSample = (name: string): FilePath => fromPath(join(import.meta.dirname, '../files/valid', name));

describe('readServerMetricsJson', () => {
  it('returns the document with exact times', async () => {
    const document = (await readServerMetricsJson(getSample('server-metrics.json'))) as ServerMetricsDocument;
    expect(document.summary.endpoint_info['http://10.0.0.1:8000/metrics']?.last_update_ns).toBe(
      1772000005000000001n,
    );
    expect(document.input_config.seed).toBe(12345678901234567890n);
    expect(document.metrics['sim:e2e_request_latency_seconds']?.series[0]?.timeslices?.[0]?.end_ns).toBe(
      1772000002000000001n,
    );
  });

  it('returns the flat layout without converting it', async () => {
    expect(await readServerMetricsJson(getSample('server-metrics-legacy.json'))).toMatchObject({
      metrics: { 'sim:tokens': { series: [{ delta: 5000 }, { delta: 0 }] } },
    });
  });

  it.each([
    [
      'another kind of document',
      getSample('profile-export-1.3.json'),
      /profile-export-1\.3\.json: the input is a profile-export document; expected a server-metrics/,
    ],
    [
      'a text that is not JSON',
      '{"summary": ',
      /^cannot read the text: cannot parse JSON: unexpected end of input; expected a value \(line 1, column 13\)$/,
    ],
    [
      'a document without required fields',
      '{"schema_version": "1.0", "summary": {}, "metrics": {}, "input_config": {}}',
      /\.summary\.endpoints_configured is missing: .* \(and 4 more\)/,
    ],
  ])('rejects %s', async (_, input, message) => {
    const error = await readServerMetricsJson(input).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(FormatError);
    expect((error as FormatError).message).toMatch(message);
    expect((error as FormatError).issues.length).toBeGreaterThan(0);
  });

  it("throws the file system's error for a missing file", async () => {
    await expect(readServerMetricsJson(fromPath('/no/such/file'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('reads a newer minor version', async () => {
    const text = readFileSync(getSample('server-metrics.json').path, 'utf8').replace('"1.0"', '"1.4"');
    expect(await readServerMetricsJson(text)).toMatchObject({ schema_version: '1.4' });
  });
});

describe('readServerMetrics', () => {
  it('returns a type that 1.0 documents satisfy', () => {
    expectTypeOf<ServerMetricsDocument>().toExtend<ServerMetricsView>();
  });

  it('converts the flat layout', async () => {
    const view = await readServerMetrics(getSample('server-metrics-legacy.json'));
    const url = 'http://10.0.0.1:8000/metrics';
    expect(view.summary).toMatchObject({
      endpoints_successful: [url],
      endpoint_info: { [url]: { total_fetches: 68, avg_fetch_latency_ms: 325.94 } },
    });
    expect(view.metrics).toMatchObject({
      'sim:cache_info': {
        type: 'gauge',
        unit: 'info',
        series: [{ labels: { block_size: '16' }, stats: {} }],
      },
      'sim:context': {
        series: [{ labels: null, stats: { avg: 40960, min: 40960, std: 0, p1: 40960, p99: 40960 } }],
      },
      'sim:running': { series: [{ stats: { avg: 35.5, p99: 48 } }] },
      'sim:tokens': {
        series: [{ stats: { total: 5000, rate: 250, rate_max: 2900 } }, { stats: { total: 0, rate: 0 } }],
      },
      'sim:seconds': {
        series: [
          { stats: { count: 50, sum: 733.5, sum_rate: 36.675, p99_estimate: 21.48 } },
          { stats: { count: 0 } },
        ],
      },
      'sim:quantiles': { type: 'summary', series: [{ quantiles: { '0.99': 0.5 }, stats: { count: 1000 } }] },
    });
  });

  it('keeps a metric named __proto__', () => {
    const metrics = Object.fromEntries([
      ['__proto__', { type: 'gauge' as const, description: '', series: [] }],
    ]);
    const summary = {
      endpoints_configured: ['x'],
      endpoints_successful: [],
      start_time: '',
      end_time: '',
      endpoint_info: {},
    };
    expect(Object.keys(convertLegacyServerMetrics({ summary, metrics }).metrics)).toEqual(['__proto__']);
  });

  it.each(['server-metrics.csv', 'server-metrics-aiperf.csv'])('reads %s', async name => {
    const view = await readServerMetrics(getSample(name));
    expect(Object.values(view.metrics).map(metric => metric.type)).toEqual(
      expect.arrayContaining(['gauge', 'counter', 'histogram']),
    );
  });

  it('reports the line of an invalid CSV', async () => {
    const text = readFileSync(getSample('server-metrics.csv').path, 'utf8').replace(
      '36.68055555555556',
      'many',
    );
    await expect(readServerMetrics(text)).rejects.toThrow('line 3, column avg is "many"; expected a number');
  });
});

describe('readProfileExport', () => {
  it('returns the document and its metrics by tag', async () => {
    const document = await readProfileExport(getSample('profile-export-1.3.json'));
    expect(document.run_info?.random_seed).toBe(12345678901234567891n);
    const metrics = listProfileMetrics(document);
    expect([...metrics.keys()]).toEqual([
      'request_latency',
      'request_count',
      'request_throughput',
      'min_request_timestamp',
    ]);
    expect(metrics.get('request_latency')).toMatchObject({ unit: 'ms', count: 20, p99: 3371.25 });
  });
});

describe('readServerMetrics with problems in timeslices', () => {
  const text = readFileSync(join(import.meta.dirname, '../files/valid/server-metrics.json'), 'utf8');
  const readIssues = async (read: Promise<unknown>): Promise<unknown> =>
    await read.then(
      () => 'valid',
      (error: FormatError) => error.issues,
    );

  it.each([
    ['nothing wrong', (slice: string) => slice],
    ['a text instead of a number', (slice: string) => slice.replace(/("avg":\s*)[\d.]+/, '$1"5"')],
    ['a negative count', (slice: string) => slice.replace(/("count":\s*)\d+/, '$1-5')],
    ['a count with a fraction', (slice: string) => slice.replace(/("count":\s*)\d+/, '$11.5')],
    ['a missing start', (slice: string) => slice.replace(/"start_ns":\s*\d+,/, '')],
    [
      'a start of more than 64 bits',
      (slice: string) => slice.replace(/("start_ns":\s*)\d+/, '$19999999999999999999'),
    ],
  ])('reports the same issues as readServerMetricsJson: %s', async (_, damage) => {
    const at = text.lastIndexOf('"timeslices"');
    for (const damaged of [text.slice(0, at) + damage(text.slice(at)), damage(text)]) {
      expect(await readIssues(readServerMetrics(damaged))).toEqual(
        await readIssues(readServerMetricsJson(damaged)),
      );
    }
  });
});
