import { expect, test } from 'vitest';
import { findFindings } from '../../src/findings/findFindings.ts';
import type { Finding } from '../../src/findings/rule.ts';
import { createRun } from '../../src/run/run.ts';
import type { RunGpu } from '../../src/run/runGpu.ts';
import { createDocument, createGauge, createMetric, SECOND_NS, START_NS } from '../documents.ts';
import { findById, HEALTHY_METRICS, type Metrics } from './runs.ts';

/** Creates a GPU with one sample per second. The first one is from before profiling. */
function createGpu(values: Readonly<Record<string, readonly number[]>>): RunGpu {
  const count = Math.max(...Object.values(values).map(({ length }) => length));
  return {
    index: 0,
    uuid: 'GPU-1',
    model: 'NVIDIA L40S',
    source: 'http://localhost:9400/metrics',
    timesNs: Array.from({ length: count }, (_, i) => START_NS + BigInt(i - 1) * SECOND_NS),
    values: new Map(Object.entries(values)),
  };
}

function find(id: string, gpu: RunGpu): Finding | undefined {
  const run = createRun({
    name: '',
    layout: 'json',
    files: {},
    view: createDocument(HEALTHY_METRICS),
    gpus: [gpu],
  });
  return findFindings(run).find(finding => finding.id === id);
}

/** Twenty samples, of which the first ones have one value, and the others another one. */
const repeat = (value: number, times: number, other = 0): number[] =>
  Array.from({ length: 20 }, (_, i) => (i < times ? value : other));

test('an XID that appears during profiling is an error, with its meaning and time', () => {
  const gpu = createGpu({ nvidia_xid_errors: repeat(0, 6, 79) });
  const { severity, evidence } = find('gpu-errors', gpu)!;
  expect([severity, evidence.length]).toEqual(['problem', 1]);
  expect(evidence[0]).toMatchObject({
    text: 'GPU 0 (NVIDIA L40S): XID 79 (the GPU fell off the bus) after 5 s',
    range: { startNs: START_NS + 5n * SECOND_NS, endNs: START_NS + 5n * SECOND_NS },
  });
});

test('memory errors of AMD GPUs are errors if their number grows', () => {
  const gpu = createGpu({ amd_ecc_uncorrectable: repeat(1, 6, 3) });
  expect(find('gpu-errors', gpu)!.evidence[0]!.text).toBe(
    'GPU 0 (NVIDIA L40S): 2 memory errors that were not corrected',
  );
});

test.each([
  ['a GPU without errors', repeat(0, 20)],
  ['an XID from before profiling', repeat(31, 20)],
  ['an XID of which it is unknown whether it is from before profiling', [Number.NaN, ...repeat(31, 20)]],
])('%s has no errors', (_, nvidia_xid_errors) => {
  expect(find('gpu-errors', createGpu({ nvidia_xid_errors }))).toBeUndefined();
});

test('a GPU that is too hot is throttled, and its conditions are named', () => {
  const gpu = createGpu({
    nvidia_clock_event_reasons: repeat(0x40, 4),
    nvidia_temperature: repeat(91, 4, 70),
    nvidia_power_usage: repeat(240, 4, 300),
    nvidia_power_limit: repeat(350, 20),
  });
  const [evidence] = find('gpu-throttled', gpu)!.evidence;
  expect(evidence).toMatchObject({
    text: 'GPU 0 (NVIDIA L40S): 15.8% of the samples; hardware thermal slowdown; up to 91 °C; up to 300 W of 350 W',
    range: { startNs: START_NS, endNs: START_NS + 2n * SECOND_NS },
  });
});

test.each([
  ['at its power limit for most of the time', { nvidia_clock_event_reasons: repeat(0x04, 15) }, true],
  ['at its power limit for a short time', { nvidia_clock_event_reasons: repeat(0x04, 5) }, false],
  ['idle, which also lowers the clock rate', { nvidia_clock_event_reasons: repeat(0x01, 20) }, false],
  ['hot, without a lower clock rate', { nvidia_temperature: repeat(92, 20) }, false],
  ['throttled in a few samples', { nvidia_clock_event_reasons: [0, 0x40, 0x40] }, false],
  ['an AMD GPU that reports throttling', { amd_throttle_status: repeat(1, 10) }, true],
])('a GPU that is %s', (_, values, isThrottled) => {
  expect(find('gpu-throttled', createGpu(values)) !== undefined).toBe(isThrottled);
});

/** Creates the page of DCGM: the lowest and the highest code of one GPU, and further labels of the error. */
const createPage = (...codes: readonly (readonly [low: number, high: number])[]): Metrics => ({
  DCGM_FI_DEV_XID_ERRORS: createMetric(
    'gauge',
    codes.map(([low, high]) => ({
      ...createGauge(high, { labels: { gpu: '0', UUID: 'GPU-1', err_code: String(high) } }),
      stats: { avg: high, min: low, max: high },
    })),
  ),
});

test.each([
  ['whose code changes', createPage([0, 79])],
  ['whose new code starts a new series', createPage([0, 0], [79, 79])],
])('a GPU on a scraped page of DCGM %s has an error', (_, metrics) => {
  expect(findById('gpu-errors', metrics)!.evidence[0]).toMatchObject({
    endpoint: 'localhost:8000',
    text: 'GPU 0: XID 79 (the GPU fell off the bus)',
  });
});

test.each([
  ['without errors', createPage([0, 0])],
  ['whose error is from before', createPage([31, 31])],
])('a GPU on a scraped page of DCGM %s has no errors in the run', (_, metrics) => {
  expect(findById('gpu-errors', metrics)).toBeUndefined();
});

test('memory errors on a scraped page of AMD’s exporter are counted', () => {
  const labels = { gpu_id: '1', card_model: 'MI300X' };
  const gauge = { ...createGauge(2, { labels }), stats: { avg: 2, min: 1, max: 3 } };
  const metrics = { gpu_ecc_uncorrect_total: createMetric('gauge', [gauge]) };
  expect(findById('gpu-errors', metrics)!.evidence[0]!.text).toBe(
    'GPU 1: 2 memory errors that were not corrected',
  );
});
