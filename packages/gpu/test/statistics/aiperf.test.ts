import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GpuTelemetryRecord } from '@org/formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { GpuHistory } from '../../src/history.ts';
import { fromTelemetryRecord, toTelemetryRecord } from '../../src/records.ts';
import { computeEnergyMetrics } from '../../src/statistics/energyMetrics.ts';
import { createTelemetryData } from '../../src/statistics/telemetryData.ts';

const FOLDER = join(import.meta.dirname, '..', 'files', 'aiperf');
const EXPORT = JSON.parse(readFileSync(join(FOLDER, 'profile_export.json'), 'utf8'));
const LINES = readFileSync(join(FOLDER, 'gpu_telemetry_export.jsonl'), 'utf8').trim().split('\n');
/** The profiling phase of the run, which the export contains in local time and rounded to microseconds. */
const START_NS = toNs(EXPORT.start_time);
const END_NS = toNs(EXPORT.end_time);

function toNs(time: string): bigint {
  const [seconds, microseconds] = time.split('.');
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000_000n + BigInt(microseconds!) * 1000n;
}

function parseLine(line: string): GpuTelemetryRecord {
  // A double cannot represent nanoseconds since 1970.
  const [, timestamp] = /"timestamp_ns":(\d+)/.exec(line)!;
  return { ...JSON.parse(line), timestamp_ns: BigInt(timestamp!) };
}

/** Compares two trees of values; numbers may differ in their last digits, because NumPy sums in another order. */
function expectSame(actual: unknown, expected: unknown, path: string, tolerance = 1e-9): void {
  if (typeof expected === 'number') {
    expect(Math.abs((actual as number) - expected), path).toBeLessThanOrEqual(tolerance * Math.abs(expected));
    return;
  }
  if (typeof expected !== 'object' || expected === null) {
    expect(actual, path).toEqual(expected);
    return;
  }
  expect(Object.keys(actual as object), path).toEqual(Object.keys(expected));
  for (const [key, value] of Object.entries(expected))
    expectSame((actual as Record<string, unknown>)[key], value, `${path}/${key}`, tolerance);
}

describe('a real run of AIPerf', () => {
  const history = new GpuHistory(START_NS);
  const window = { startNs: 0, endNs: Number(END_NS - START_NS) };
  beforeAll(() => {
    for (const line of LINES) history.add(fromTelemetryRecord(parseLine(line)));
  });

  test('has the same telemetry_data', () => {
    const { summary } = EXPORT.telemetry_data;
    const data = createTelemetryData(
      history,
      window,
      { configured: summary.endpoints_configured, successful: summary.endpoints_successful },
      { start_time: summary.start_time, end_time: summary.end_time },
    );
    expectSame(data, EXPORT.telemetry_data, '');
  });

  test('has the same energy metrics', () => {
    const { blocks } = computeEnergyMetrics({
      history,
      window,
      blocks: EXPORT.blocks,
      concurrency: EXPORT.concurrency,
    });
    const { output_token_throughput_per_gpu: perGpu, ...same } = blocks;
    expect(perGpu).toEqual({ unit: 'tokens/sec/gpu', avg: EXPORT.blocks.output_token_throughput.avg });
    // The export contains the times of the phase in microseconds.
    expectSame(same, EXPORT.energy, '', 1e-6);
  });

  test('has the same lines', () => {
    for (const line of LINES) {
      const record = toTelemetryRecord(fromTelemetryRecord(parseLine(line)));
      expect(JSON.stringify({ ...record, timestamp_ns: 0 })).toBe(
        JSON.stringify({ ...JSON.parse(line), timestamp_ns: 0 }),
      );
      expect(record.timestamp_ns).toBe(parseLine(line).timestamp_ns);
    }
  });
});
