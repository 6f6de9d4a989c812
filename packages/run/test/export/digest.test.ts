import type { ServerMetricsDocument } from '@org/formats';
import {
  type ServerMetricsStream,
  streamServerMetricsJson,
  writeServerMetricsJson,
} from '@org/formats/write';
import { builtInServers } from '@org/servers';
import { expect, test } from 'vitest';
import { collectDigest, Digest } from '../../src/export/digest.ts';

const slice = { start_ns: 1n, end_ns: 2n, avg: 1, min: 1, max: 1 };
const stats = {
  avg: 1,
  min: 1,
  max: 1,
  std: 0,
  p1: 1,
  p5: 1,
  p10: 1,
  p25: 1,
  p50: 1,
  p75: 1,
  p90: 1,
  p95: 1,
  p99: 1,
};

/**
 * Creates a stream of gauges that each have `seriesCount` series with `sliceCount` timeslices.
 * `getComputedCount` returns the number of series computed so far.
 */
function createStream(
  names: readonly string[],
  seriesCount: number,
  sliceCount: number,
): { stream: ServerMetricsStream; getComputedCount: () => number } {
  let computed = 0;
  const computeSeries = () => {
    computed++;
    return { endpoint_url: 'http://a', stats, timeslices: Array.from({ length: sliceCount }, () => slice) };
  };
  const metrics = function* (): Generator<[string, never]> {
    for (const name of names) {
      const generated = (function* () {
        for (let index = 0; index < seriesCount; index++) yield computeSeries();
      })();
      yield [name, { type: 'gauge', description: '', series: generated } as never];
    }
  };
  const document = {
    schema_version: '1.0',
    summary: { endpoint_info: {} },
    input_config: {},
  } as unknown as Omit<ServerMetricsDocument, 'warmup_metrics'>;
  return { stream: { ...document, metrics: metrics() }, getComputedCount: () => computed };
}

test('keeps the written document and computes each series once', () => {
  const { stream, getComputedCount } = createStream(['a', 'b'], 3, 2);
  const digest = new Digest(stream, builtInServers);
  expect(digest.document).toBeUndefined();
  const text = [...streamServerMetricsJson(digest.passthrough)].join('');
  expect(text).toBe(writeServerMetricsJson(digest.document!));
  expect(getComputedCount()).toBe(6);
});

test('keeps no document if the writer stops early', () => {
  const digest = new Digest(createStream(['a', 'b'], 3, 2).stream, builtInServers);
  for (const piece of streamServerMetricsJson(digest.passthrough)) if (piece.includes('"b"')) break;
  expect(digest.document).toBeUndefined();
});

test('drops timeslices beyond 1,000,000 values, except the timeslices of key metrics', async () => {
  const { metrics } = await collectDigest(
    createStream(['a', 'b', 'vllm:num_requests_running'], 100, 1500).stream,
    builtInServers,
  );
  const kept = Object.entries(metrics).map(([name, { series }]) => [
    name,
    series.filter(({ timeslices }) => timeslices).length,
    series.length,
  ]);
  expect(kept).toEqual([
    ['a', 100, 100],
    ['b', 33, 100],
    ['vllm:num_requests_running', 100, 100],
  ]);
});

test.each(['servelens', 'aiperf'] as const)(
  'derived metrics follow the metrics, in the layout %s',
  layout => {
    const { stream } = createStream(['a', 'b'], 2, 1);
    const derive = ({ metrics }: Pick<ServerMetricsDocument, 'metrics'>) => [
      {
        name: Object.keys(metrics).join('_'),
        formula: 'running',
        unit: 'requests',
        endpoint_url: null,
        value: 4,
      },
    ];
    const digest = new Digest(stream, builtInServers, derive);
    const document = JSON.parse([...streamServerMetricsJson(digest.passthrough, { layout })].join(''));
    expect(document.derived).toEqual(
      layout === 'aiperf'
        ? undefined
        : [{ name: 'a_b', formula: 'running', unit: 'requests', endpoint_url: null, value: 4 }],
    );
  },
);
