import type { RunSet } from '@org/analysis';
import type { ProfileAggregate } from '@org/formats';
import { describe, expect, test } from 'vitest';
import { buildSweepData } from '../../src/sweep/model/buildSweepData.ts';
import { buildRunSetDocument, type RunSetDocument } from '../../src/sweep/runSetDocument.ts';
import { AGGREGATE, AIPERF_SWEEP, SWEEP } from '../support/sweepDocuments.ts';

function build(runSet: RunSet): RunSetDocument {
  return buildRunSetDocument(runSet, buildSweepData(runSet, { repeats: [] }));
}

describe('of a sweep', () => {
  const document = build({ name: 'servelens', kind: 'sweep', sweep: SWEEP });

  test('contains the mean of each variation, and half the width of its interval if it was repeated', () => {
    const { points } = document.data;
    expect(points.map(({ estimates }) => estimates.request_throughput_avg!.mean)).toEqual([
      8.125, 15.625, 15.25,
    ]);
    expect(points[0]!.estimates.request_latency_p99!.half).toBeCloseTo(127.1, 1);
    expect(points[2]!.estimates.request_latency_p99!.half).toBeNull();
  });

  test('contains a row per server metric, with a value per variation', () => {
    expect(document.columns).toEqual(['concurrency_4', 'concurrency_8', 'concurrency_16']);
    expect(document.servers).toEqual([
      expect.objectContaining({ name: 'vllm:num_requests_running', stat: 'avg' }),
    ]);
    expect(document.servers[0]!.values.map(value => value?.[0])).toEqual([3.8125, 7.625, undefined]);
  });

  test('lists the parameters, the number of runs, and failed runs', () => {
    expect(document.facts).toContainEqual({ name: 'concurrency', text: '4, 8, 16' });
    expect(document.facts).toContainEqual({ name: 'Runs', text: '5 of 6' });
    expect(document.notes).toEqual(['Omitted concurrency_16/run_0002: server went away']);
  });

  test('counts the failed requests of each variation, if they are known', () => {
    const requests = { succeeded: 88, failed: 12, cancelled: 0 };
    const [first, ...others] = SWEEP.per_combination_metrics;
    const variations = [{ ...first!, requests }, ...others];
    const sweep = { ...SWEEP, per_combination_metrics: variations };
    const { data } = build({ name: 's', kind: 'sweep', sweep });
    expect(data.points[0]).toMatchObject({
      failedShare: 0.12,
      outcomes: { succeeded: 88, failed: 12, cancelled: 0, late: null },
    });
  });

  test('offers the throughputs and latencies that a variation has', () => {
    expect(document.data.throughputs.map(({ metric }) => metric)).toEqual(['request_throughput_avg']);
    expect(document.data.latencies.map(({ metric }) => metric)).toEqual(['request_latency_p99']);
  });

  test('supports sweeps of AIPerf, which do not count runs', () => {
    const { data } = build({ name: 'aiperf', kind: 'sweep', sweep: AIPERF_SWEEP });
    expect(data.points[0]!.runs).toBeNull();
  });

  test('formats parameters that are not numbers, with all digits', () => {
    const [first, ...others] = SWEEP.per_combination_metrics;
    const parameters = { seed: 9007199254740993n, wait_ns: 5n, shape: { isl: [1, 2] } };
    const { variation_label: _, ...unnamed } = first!;
    const sweep = { ...SWEEP, per_combination_metrics: [{ ...unnamed, parameters }, ...others] };
    const runSet = { name: 'other parameters', kind: 'sweep', sweep } as unknown as RunSet;
    expect(build(runSet).data.points[0]).toMatchObject({
      name: 'seed_9007199254740993__wait_ns_5__shape_{"isl":[1,2]}',
      parameters: { seed: '9007199254740993', wait_ns: '5', shape: '{"isl":[1,2]}' },
    });
  });
});

describe('of repeated runs', () => {
  const aggregate = AGGREGATE as ProfileAggregate;

  test('has one point and one column', () => {
    const document = build({ name: 'r', kind: 'repeated', aggregate });
    expect(document.data.points.map(({ parameters }) => parameters)).toEqual([{}]);
    expect(document.columns).toEqual(['mean over all runs']);
    expect(document.client.map(({ name, stat }) => `${name} ${stat}`)).toContain('request_latency avg');
  });

  test('limits the values of a large sweep, and counts the rows that are left out', () => {
    const metrics = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`metric_${i}_avg`, { mean: i, unit: 'ms' }]),
    );
    const per_combination_metrics = Array.from({ length: 100 }, (_, i) => ({
      parameters: { concurrency: i + 1 },
      metrics,
    }));
    const sweep = { ...SWEEP, per_combination_metrics };
    const document = build({ name: 'large', kind: 'sweep', sweep });
    expect([document.client.length, document.more]).toEqual([200, 100]);
  });

  test('notes an interruption', () => {
    const interrupted = { ...aggregate, metadata: { ...aggregate.metadata, was_cancelled: true } };
    expect(build({ name: 'r', kind: 'repeated', aggregate: interrupted }).notes[0]).toMatch(
      /^The benchmark was interrupted/,
    );
  });
});
