import { expect, test } from 'vitest';
import { fromTelemetryRecord, toTelemetryRecord } from '../src/records.ts';
import type { GpuSample } from '../src/sample.ts';
import { createGpu } from './support.ts';

const SAMPLE: GpuSample = {
  gpu: createGpu(0),
  values: { nvidia_power_limit: 350, nvidia_clock_event_reasons: 4, nvidia_power_usage: 349 },
  timestampNs: 1_800_000_000_000_000_001n,
  source: 'http://node1:9400/metrics',
};

test('a line contains the metrics of AIPerf first, and then the others', () => {
  const record = toTelemetryRecord(SAMPLE);
  expect(Object.keys(record.telemetry_data)).toEqual([
    'nvidia_power_usage',
    'nvidia_clock_event_reasons',
    'nvidia_power_limit',
  ]);
  expect(fromTelemetryRecord(record)).toEqual(SAMPLE);
});

test('a line for AIPerf contains only its metrics', () => {
  expect(toTelemetryRecord(SAMPLE, { isAiperf: true }).telemetry_data).toEqual({ nvidia_power_usage: 349 });
});
