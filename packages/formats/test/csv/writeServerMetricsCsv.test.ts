import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readServerMetricsCsv } from '../../src/csv/readServerMetricsCsv.ts';
import type { ServerMetricsDocument } from '../../src/index.ts';
import { parseJson } from '../../src/json/parse.ts';
import { validate } from '../../src/validate/validate.ts';
import { writeServerMetricsCsv } from '../../src/write.ts';

const samplesFolder = join(import.meta.dirname, '../files/valid');
const document = parseJson(readFileSync(join(samplesFolder, 'server-metrics.json'), 'utf8'))
  .value as ServerMetricsDocument;
const csv = writeServerMetricsCsv(document);

const url = 'http://h:1/metrics';
const createGauge = (
  labels: Readonly<Record<string, string>>,
  description = '',
): ServerMetricsDocument['metrics'][string] => ({
  type: 'gauge',
  description,
  series: [
    {
      endpoint_url: url,
      labels,
      stats: document.metrics['sim:num_requests_running']!.series[0]!.stats as never,
    },
  ],
});
const replaceMetrics = (metrics: ServerMetricsDocument['metrics']): ServerMetricsDocument => ({
  ...document,
  metrics,
});

describe('writeServerMetricsCsv', () => {
  it('writes labels of targets in columns, which are read back', () => {
    const info = { total_fetches: 1, unique_updates: 1, labels: { pod: '=1', role: 'prefill' } };
    const labelled = {
      ...replaceMetrics({ g: createGauge({ pod: 'own' }) }),
      summary: { ...document.summary, endpoint_info: { [url]: info } },
    };
    const text = writeServerMetricsCsv(labelled);
    expect(text.split('\n')[0]).toMatch(/,pod,target:pod,target:role,Description$/);
    const { view, problems } = readServerMetricsCsv(text);
    expect([view.target_labels, view.metrics.g!.series[0]!.labels, problems]).toEqual([
      { 'h:1': info.labels },
      { pod: 'own' },
      [],
    ]);
    expect(writeServerMetricsCsv(labelled, { layout: 'aiperf' })).not.toContain('target:');
  });

  it('writes the sample', () => {
    expect(csv).toBe(readFileSync(join(samplesFolder, 'server-metrics.csv'), 'utf8'));
  });

  it('writes sections in order, separated by one empty line, with LF and without comments', () => {
    const sections = csv.split('\n\n');
    expect(sections.map(section => section.split(/[,\n]/, 8).at(5))).toEqual([
      'min',
      'rate',
      'count_rate',
      'min',
      '10.0.0.1:8000',
    ]);
    expect(sections.map(section => /^[^\n]*\n[^,]*,([^,]*)/.exec(section)![1])).toEqual([
      ...['gauge', 'counter', 'histogram', 'unknown'],
      'sim:cache_config_info',
    ]);
    expect(csv).not.toMatch(/\r|^#|\n\n\n/);
    expect(csv.endsWith('\n') && !csv.endsWith('\n\n')).toBe(true);
  });

  it('omits empty sections', () => {
    expect(writeServerMetricsCsv(replaceMetrics({}))).toBe('');
    expect(writeServerMetricsCsv(replaceMetrics({ a: createGauge({}) })).split('\n\n')).toHaveLength(1);
  });

  it('writes the same digits as the JSON export', () => {
    const tiny = {
      type: 'counter',
      description: '',
      series: [{ endpoint_url: url, stats: { total: 3, rate: 1e-5 } }],
    } as const;
    expect(writeServerMetricsCsv(replaceMetrics({ tiny }))).toContain('h:1,counter,tiny,,3.0,0.00001,,,,,');
  });

  it('escapes line breaks and formulas from servers', () => {
    const hostile = createGauge({ a: '=cmd|x', b: '+1', c: 'x\n\ny', d: '@x', '=e': '-x' }, '\n\n=A1');
    const text = writeServerMetricsCsv(
      replaceMetrics({ '=hostile': hostile, config_info: createGauge({ k: '=1+1' }, '-d') }),
    );
    expect(text.split('\n')).toHaveLength(6);
    for (const cell of text.split(/[,\n]/)) expect(cell).not.toMatch(/^"?[=@]|^"?[+-]\D/);
    const { view } = readServerMetricsCsv(text);
    expect(view.metrics['=hostile']).toMatchObject({
      description: hostile.description,
      series: [{ labels: hostile.series[0]!.labels }],
    });
    expect(view.metrics.config_info).toMatchObject({
      description: '-d',
      series: [{ labels: { k: '=1+1' } }],
    });
  });

  it('prefixes labels that are named like a column of the section', () => {
    const labels = { avg: 'a', Description: 'd', Endpoint: 'e', 'label:x': 'l', resets: 'r', ok: 'o' };
    const text = writeServerMetricsCsv(replaceMetrics({ a: createGauge(labels) }));
    expect(text.split('\n')[0]).toContain(
      'label:Description,label:Endpoint,label:avg,label:label:x,ok,resets,Description',
    );
    expect(readServerMetricsCsv(text).view.metrics.a!.series[0]!.labels).toEqual(labels);
  });

  it('writes everything except timeslices, percentile bounds and empty fields', () => {
    const { view, problems } = readServerMetricsCsv(csv);
    expect(problems).toEqual([]);
    for (const [name, metric] of Object.entries(document.metrics)) {
      const readMetric = view.metrics[name]!;
      expect({ ...readMetric, series: [] }).toEqual({ ...metric, series: [] });
      expect(sortSeries(readMetric.series)).toEqual(
        sortSeries(metric.series.map(series => toCsvSeries(name, series as never))),
      );
    }
  });

  it.skipIf(!hasPandas())('writes text that the documented pandas example reads', () => {
    const program = [
      'import sys, json',
      'from io import StringIO',
      'import pandas as pd',
      'f = sys.stdin',
      "sections = [pd.read_csv(StringIO(s)) for s in f.read().strip().split('\\n\\n') if s.strip()]",
      'print(json.dumps([[len(s), s.columns[0]] for s in sections]))',
    ].join('\n');
    const output = execFileSync('python3', ['-c', program], { input: csv, encoding: 'utf8' });
    expect(JSON.parse(output)).toEqual([2, 3, 3, 1, 2].map(rows => [rows, 'Endpoint']));
  });
});

describe("writeServerMetricsCsv in AIPerf's layout", () => {
  const aiperf = readFileSync(join(samplesFolder, 'server-metrics-aiperf.csv'), 'utf8');

  it('writes the sample byte for byte', () => {
    const { view } = readServerMetricsCsv(aiperf);
    expect(writeServerMetricsCsv(view as ServerMetricsDocument, { layout: 'aiperf' })).toBe(aiperf);
  });

  it('writes leading comments, CRLF after every row, and no reset columns', async () => {
    const text = writeServerMetricsCsv(document, { layout: 'aiperf' });
    const comments = /^(#.*\n)+/.exec(text)![0];
    // A quoted cell can contain a line break.
    const rows = text.slice(comments.length).replace(/"(?:[^"]|"")*"/g, '');
    expect(comments).toContain(`\n# benchmark_id: ${document.benchmark_id}\n`);
    expect(
      rows
        .split('\n')
        .slice(0, -1)
        .every(row => row.endsWith('\r')),
    ).toBe(true);
    expect(rows).not.toMatch(/resets|increase/);
    expect(await validate(text)).toMatchObject({ document: 'server-metrics-csv', valid: true, issues: [] });
    const { view } = readServerMetricsCsv(text);
    expect(Object.keys(view.metrics).sort()).toEqual(Object.keys(document.metrics).sort());
  });

  it('does not escape text, and the reader does not unescape it', () => {
    const hostile = createGauge({ a: "'=x", b: 'C:\\new' }, '=A1');
    const text = writeServerMetricsCsv(replaceMetrics({ hostile }), { layout: 'aiperf' });
    expect(text).toContain(",'=x,C:\\new,=A1\r\n");
    expect(readServerMetricsCsv(text).view.metrics.hostile!.series[0]!.labels).toEqual(
      hostile.series[0]!.labels,
    );
  });

  it('throws for an unknown layout', () => {
    expect(() => writeServerMetricsCsv(document, { layout: 'excel' as never })).toThrow(
      'unknown layout "excel"; expected "servelens" or "aiperf"',
    );
  });
});

/** Returns the fields of a series that a CSV contains. */
function toCsvSeries(name: string, series: Readonly<Record<string, unknown>>): object {
  const { endpoint_url, labels, stats, buckets } = series;
  return {
    endpoint_url: new URL(endpoint_url as string).host,
    ...(labels ? { labels } : {}),
    stats: name.endsWith('_info') ? {} : stats,
    ...(buckets ? { buckets } : {}),
  };
}

function sortSeries(series: readonly object[]): object[] {
  return [...series].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function hasPandas(): boolean {
  try {
    execFileSync('python3', ['-c', 'import pandas'], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn('skipped: no python3 with pandas, so the pandas example does not run');
    return false;
  }
}
