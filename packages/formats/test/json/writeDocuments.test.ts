import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  GaugeStats,
  Inputs,
  Outputs,
  PhaseServerMetrics,
  ServerMetricsDocument,
} from '../../src/index.ts';
import { JsonWriter } from '../../src/json/jsonWriter.ts';
import { parseJson } from '../../src/json/parse.ts';
import {
  type JsonOptions,
  type MetricStream,
  type PhaseMetric,
  type PhaseServerMetricsStream,
  streamInputsJson,
  streamLegacyServerMetricsJson,
  streamOutputsJson,
  streamPhaseServerMetricsJson,
  streamServerMetricsJson,
  writeLegacyServerMetricsJson,
  writePhaseManifestJson,
  writeProfileAggregateJson,
  writeProfileCollatedJson,
  writeProfileExportJson,
  writeProfileSweepJson,
  writeProfileTimeslicesJson,
  writePushReportJson,
  writeResultsReadyJson,
  writeServerMetricsJson,
} from '../../src/write.ts';

const samplesFolder = join(import.meta.dirname, '../files/valid');
const readSample = (name: string): string => readFileSync(join(samplesFolder, name), 'utf8');
/** Converts a document to a stream of the same endpoints and metrics. */
function toPhaseStream(document: PhaseServerMetrics): PhaseServerMetricsStream {
  const data = document.data!;
  const endpoints = Object.entries(data.endpoint_summaries ?? {}).map(([endpoint, summary]) => {
    const metrics = Object.entries(summary.metrics as Readonly<Record<string, PhaseMetric>>);
    return [endpoint, { ...summary, metrics: metrics.values() }] as const;
  });
  return { ...document, data: { ...data, endpoint_summaries: endpoints.values() } };
}

/** Writers of the files that AIPerf 0.13 added, by sample. */
const runFileWriters: Readonly<Record<string, (document: never) => string>> = {
  'inputs.json': ({ data }: Inputs) => [...streamInputsJson(data)].join(''),
  'outputs.json': ({ data }: Outputs) => [...streamOutputsJson(data)].join(''),
  'phase-manifest.json': writePhaseManifestJson,
  'phase-server-metrics.json': (document: PhaseServerMetrics) =>
    [...streamPhaseServerMetricsJson(toPhaseStream(document))].join(''),
  'push.json': writePushReportJson,
  'results-ready.json': writeResultsReadyJson,
};
/** Samples of documents that only AIPerf writes. */
const unwrittenSamples: readonly string[] = ['phase-gpu-telemetry.json'];
/** Samples of AIPerf 0.13 in AIPerf's layout. The other samples are in the layout of Servelens. */
const aiperfSamples: readonly string[] = ['profile-export-1.4.json', 'server-metrics-1.1.json'];

const writeDocument = (name: string, document: never): string => {
  const write = runFileWriters[name];
  if (write) return write(document);
  const options: JsonOptions = aiperfSamples.includes(name) ? { layout: 'aiperf' } : {};
  const [, kind] = /^profile-(aggregate|collated|sweep|timeslices|export)/.exec(name) ?? [];
  if (kind === 'aggregate') return writeProfileAggregateJson(document);
  if (kind === 'collated') return writeProfileCollatedJson(document);
  if (kind === 'sweep') return writeProfileSweepJson(document);
  if (kind === 'timeslices') return writeProfileTimeslicesJson(document);
  if (kind === 'export') return writeProfileExportJson(document, options);
  return name.includes('legacy')
    ? writeLegacyServerMetricsJson(document)
    : writeServerMetricsJson(document, options);
};

const stats: GaugeStats = {
  ...{ p99: 0, p95: 0, p90: 0, p75: 0, p50: 0, p25: 0, p10: 0, p5: 0, p1: 0 },
  ...{ std: 0, max: 0, min: 0, avg: 0 },
};

const document: Omit<ServerMetricsDocument, 'warmup_metrics'> = {
  input_config: { z: undefined, big: 12345678901234567890n, text: '\u2028"\\\ud800' },
  metrics: {
    b: { series: [], unit: 'seconds', description: 'B', type: 'histogram' },
    a: {
      type: 'gauge',
      description: 'A',
      series: [
        {
          timeslices: [
            { max: 1, min: 0, avg: 0.5, end_ns: 1765793061967310849n, start_ns: 1765793061967310848n },
          ],
          stats,
          labels: Object.fromEntries([
            ['z', '1'],
            ['__proto__', 'own'],
          ]),
          endpoint_url: 'u',
        },
      ],
    },
  },
  summary: {
    endpoint_info: {},
    end_time: 'e',
    start_time: 's',
    endpoints_successful: [],
    endpoints_configured: ['u'],
  },
  schema_version: '1.0',
};

describe('JSON documents', () => {
  const samples = readdirSync(samplesFolder).filter(
    name => name.endsWith('.json') && !unwrittenSamples.includes(name),
  );

  it.each(samples)('%s is written unchanged', name => {
    const { value } = parseJson(readSample(name));
    expect(writeDocument(name, value as never)).toBe(readSample(name));
  });

  it('writes keys in the order of the schema', () => {
    const text = writeServerMetricsJson(document);
    const keys = [...text.matchAll(/^ *"([^"]+)":/gm)].map(match => match[1]);
    expect(keys.join(' ')).toBe(
      'schema_version summary endpoints_configured endpoints_successful start_time end_time endpoint_info ' +
        'metrics b type description unit series a type description series ' +
        'endpoint_url labels z __proto__ stats avg min max std p1 p5 p10 p25 p50 p75 p90 p95 p99 ' +
        'timeslices start_ns end_ns avg min max input_config big text',
    );
  });

  it('writes exact integers and well-formed text', () => {
    const text = writeServerMetricsJson(document);
    expect(text).toContain('"start_ns": 1765793061967310848,');
    expect(text).toContain('"end_ns": 1765793061967310849,');
    expect(text).toContain('"big": 12345678901234567890');
    expect(text).toContain('\\ud800');
    expect(parseJson(text).value).toMatchObject({ metrics: { a: { series: [{ labels: { z: '1' } }] } } });
  });

  it('sorts buckets by bound', () => {
    const buckets = { '1': 1, '5': 2, '10': 2, '0.005': 0, '+Inf': 2 };
    const histogram = {
      type: 'histogram',
      description: '',
      series: [{ endpoint_url: 'u', stats: { count: 2 }, buckets }],
    };
    const text = writeServerMetricsJson({ ...document, metrics: { h: histogram as never } });
    expect(text.replace(/\s+/g, '')).toContain('"buckets":{"0.005":0,"1":1,"5":2,"10":2,"+Inf":2}');
  });

  it('omits NaN and infinities, and reports their paths', () => {
    const omitted: [string, number][] = [];
    const broken = { ...stats, avg: Number.NaN, max: Number.POSITIVE_INFINITY };
    const metrics = {
      a: { type: 'gauge', description: '', series: [{ endpoint_url: 'u', stats: broken }] },
    } as const;
    const text = writeServerMetricsJson(
      { ...document, metrics },
      { onNonFinite: (path, value) => omitted.push([path.join('/'), value]) },
    );
    expect(text).not.toMatch(/NaN|Infinity|null/);
    expect(omitted).toEqual([
      ['metrics/a/series/0/stats/avg', Number.NaN],
      ['metrics/a/series/0/stats/max', Number.POSITIVE_INFINITY],
    ]);
  });

  it('writes unknown fields after the known ones, in order', () => {
    const text = writeServerMetricsJson({
      ...document,
      later: 1,
      also: [{ x: null }],
    } as ServerMetricsDocument);
    expect(Object.keys(parseJson(text).value as object).slice(-3)).toEqual(['input_config', 'later', 'also']);
  });

  it('streams the same text in chunks', () => {
    expect([...streamServerMetricsJson(document)].join('')).toBe(writeServerMetricsJson(document));
    const legacy = parseJson(readSample('server-metrics-legacy.json')).value as never;
    expect([...streamLegacyServerMetricsJson(legacy)].join('')).toBe(writeLegacyServerMetricsJson(legacy));
    const empty = { metrics: {}, input_config: {}, summary: {} } as never;
    expect([...streamServerMetricsJson(empty)].join('')).toBe(writeServerMetricsJson(empty));
  });

  it('streams the same text from generators, and requests each metric only when it is written', () => {
    const generatedNames: string[] = [];
    const generateMetrics = function* (): Generator<readonly [string, MetricStream]> {
      for (const [name, metric] of Object.entries(document.metrics)) {
        generatedNames.push(name);
        yield [name, { ...metric, series: metric.series.values() } as MetricStream];
      }
    };
    const pieces = streamServerMetricsJson({ ...document, metrics: generateMetrics() });
    let text = '';
    for (const piece of pieces) {
      text += piece;
      const writtenNames = Object.keys(document.metrics).filter(name =>
        text.includes(`    ${JSON.stringify(name)}: {`),
      );
      expect(generatedNames).toEqual(writtenNames);
    }
    expect(text).toBe(writeServerMetricsJson(document));
    const emptyStream = streamServerMetricsJson({ ...document, metrics: [].values() });
    expect([...emptyStream].join('')).toBe(writeServerMetricsJson({ ...document, metrics: {} }));
  });

  it('omits non-finite numbers when streaming', () => {
    const broken = structuredClone(document) as ServerMetricsDocument;
    Object.assign(broken.metrics.a!.series[0]!.stats, { avg: Number.NaN });
    const text = [...streamServerMetricsJson(broken)].join('');
    expect(text).toBe(writeServerMetricsJson(broken));
    expect(text).not.toMatch(/NaN|null/);
  });
});

describe('JsonWriter', () => {
  it('writes the same text as JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        expect(new JsonWriter(indent).stringify(value)).toBe(JSON.stringify(value, null, indent));
      }),
    );
  });

  it('throws for a circular reference', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(() => new JsonWriter(2).stringify(circle)).toThrow('nested more than 512 levels deep');
  });
});
