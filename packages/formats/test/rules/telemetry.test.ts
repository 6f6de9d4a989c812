import { expect, it } from 'vitest';
import { checkTelemetry, TelemetryOrder } from '../../src/rules/telemetry.ts';
import { collectFindings } from '../support/report.ts';

const NS = 1_772_000_000_000_000_000n;

it('checks the statistics of every GPU', () => {
  const metrics = { power: { unit: 'W', avg: 9, min: 10, max: 20 } };
  const telemetry = { endpoints: { 'h:1': { gpus: { gpu_0: { metrics } } } } };
  expect(collectFindings(report => checkTelemetry(report, ['telemetry_data'], telemetry))).toEqual([
    'gauge-average .telemetry_data.endpoints["h:1"].gpus.gpu_0.metrics.power.avg: is 9, not between min (10) and max (20)',
  ]);
});

it('checks the order of the samples of each GPU', () => {
  const order = new TelemetryOrder();
  const check = (gpu_uuid: string, timestamp_ns: bigint) =>
    collectFindings(report => order.check(report, { gpu_uuid, timestamp_ns }));
  expect(check('GPU-1', NS)).toEqual([]);
  expect(check('GPU-2', NS - 1n)).toEqual([]);
  expect(check('GPU-1', NS - 1n)).toEqual([
    `record-order .timestamp_ns: is ${NS - 1n}, before the previous sample of GPU-1 (${NS})`,
  ]);
  expect(check('GPU-1', 5n)).toContain(
    'timestamp-digits .timestamp_ns: is 5; a Unix time in nanoseconds has 19 digits',
  );
});
