import { expect, test } from 'vitest';
import type { ServerFault } from '../../src/faults/serverFault.ts';
import { type CreateSimulatorOptions, createSimulator } from '../../src/simulator.ts';
import { readExposition, readSampleValue } from '../support/exposition.ts';

/** Simulates a server with a fault for 20 s. Returns the simulator, and a reader of its samples. */
function simulate(fault: ServerFault | undefined, options: CreateSimulatorOptions = {}) {
  const simulator = createSimulator({ arrivalRate: 5, ...options, ...(fault ? { faults: [fault] } : {}) });
  simulator.scrape();
  simulator.advance(20);
  const families = readExposition(simulator.scrape());
  const read = (name: string, labels: Readonly<Record<string, string>> = {}): number =>
    readSampleValue(families, name, labels);
  return { simulator, families, read };
}

test('a sleeping engine reports its state, and the other engine is awake', () => {
  const { read } = simulate({ kind: 'sleep', engine: 1 }, { engines: 2 });
  expect(read('vllm:engine_sleep_state', { engine: '0', sleep_state: 'awake' })).toBe(1);
  expect(read('vllm:engine_sleep_state', { engine: '1', sleep_state: 'awake' })).toBe(0);
  expect(read('vllm:engine_sleep_state', { engine: '1', sleep_state: 'weights_offloaded' })).toBe(1);
});

test('every Nth request has NaN logits or a failed transfer', () => {
  const faults: ServerFault[] = [
    { kind: 'nan-logits', requests: 5 },
    { kind: 'kv-transfer', requests: 4 },
  ];
  const simulator = createSimulator({ arrivalRate: 5, faults });
  simulator.advance(20);
  const families = readExposition(simulator.scrape());
  const ended = simulator.getTruth().requests.length;
  expect(ended).toBeGreaterThan(20);
  expect(readSampleValue(families, 'vllm:corrupted_requests_total')).toBe(Math.floor(ended / 5));
  expect(readSampleValue(families, 'vllm:nixl_num_failed_transfers_total')).toBe(Math.floor(ended / 4));
});

test('the metrics of a fault do not exist without it', () => {
  const { families } = simulate(undefined);
  const names = [...families.keys()].filter(name => /corrupted|nixl|spec_decode/.test(name));
  expect(names).toEqual([]);
});

test('rejected drafts cost time and yield no tokens', () => {
  const { read } = simulate({ kind: 'rejected-drafts', tokens: 4 });
  const drafts = read('vllm:spec_decode_num_drafts_total');
  expect(drafts).toBeGreaterThan(0);
  expect(read('vllm:spec_decode_num_draft_tokens_total')).toBe(4 * drafts);
  expect(read('vllm:spec_decode_num_accepted_tokens_total')).toBe(0);
  expect(read('vllm:spec_decode_num_accepted_tokens_per_pos_total', { position: '3' })).toBe(0);
  const mean = (reader: typeof read): number =>
    reader('vllm:inter_token_latency_seconds_sum') / reader('vllm:inter_token_latency_seconds_count');
  expect(mean(read)).toBeGreaterThan(1.1 * mean(simulate(undefined).read));
});

test('a slow engine needs more time per token than the others', () => {
  const { read } = simulate({ kind: 'slow', engine: 1, factor: 3 }, { engines: 2 });
  const mean = (engine: string): number =>
    read('vllm:inter_token_latency_seconds_sum', { engine }) /
    read('vllm:inter_token_latency_seconds_count', { engine });
  expect(mean('1') / mean('0')).toBeGreaterThan(2);
});

test.each([
  ['heat', 0x20, 'DCGM_FI_DEV_THERMAL_VIOLATION', 'DCGM_FI_DEV_POWER_VIOLATION'],
  ['power', 0x4, 'DCGM_FI_DEV_POWER_VIOLATION', 'DCGM_FI_DEV_THERMAL_VIOLATION'],
] as const)(
  'a GPU that is throttled because of %s has this reason while it works',
  (cause, bits, grown, other) => {
    const { simulator } = simulate({ kind: 'gpu-throttle', cause, gpu: 1 }, { gpus: 2, arrivalRate: 20 });
    const families = readExposition(simulator.scrape('gpus'));
    const read = (name: string, gpu: string): number => readSampleValue(families, name, { gpu });
    expect(read('DCGM_FI_DEV_CLOCKS_EVENT_REASONS', '0')).toBe(0);
    expect(read('DCGM_FI_DEV_CLOCKS_EVENT_REASONS', '1')).toBe(bits);
    expect(read('DCGM_FI_DEV_SM_CLOCK', '1')).toBeLessThan(read('DCGM_FI_DEV_SM_CLOCK', '0'));
    expect(read(grown, '1')).toBeGreaterThan(1e9);
    expect(read(grown, '0')).toBe(0);
    expect(read(other, '1')).toBe(0);
  },
);

test('a GPU reports the code of its XID error', () => {
  const { simulator } = simulate({ kind: 'gpu-xid', code: 79, gpu: 0 }, { gpus: 2 });
  const families = readExposition(simulator.scrape('gpus'));
  expect(readSampleValue(families, 'DCGM_FI_DEV_XID_ERRORS', { gpu: '0' })).toBe(79);
  expect(readSampleValue(families, 'DCGM_FI_DEV_XID_ERRORS', { gpu: '1' })).toBe(0);
});

test.each<[fault: ServerFault, options: CreateSimulatorOptions, message: string]>([
  [{ kind: 'sleep' }, { kind: 'sglang' }, 'invalid fault "sleep": expected the kind vllm, not sglang'],
  [{ kind: 'slow', engine: 1, factor: 2 }, {}, 'invalid fault "slow": engine 1 does not exist'],
  [{ kind: 'gpu-xid', code: 79 }, {}, 'invalid fault "gpu-xid": the server has no GPUs'],
  [{ kind: 'gpu-xid', code: 79, gpu: 2 }, { gpus: 2 }, 'invalid fault "gpu-xid": GPU 2 does not exist'],
])('rejects %j with %j', (fault, options, message) => {
  expect(() => createSimulator({ ...options, faults: [fault] })).toThrow(message);
});

test('a fault of the server cannot be injected later', () => {
  const { simulator } = simulate(undefined);
  expect(() => simulator.control.inject({ kind: 'sleep' })).toThrow(
    'exists only from the start of the server',
  );
});

test('the truth contains the energy of each GPU between two marks', () => {
  const simulator = createSimulator({ gpus: 2 });
  simulator.advance(10);
  const mark = simulator.mark();
  simulator.advance(20);
  expect(simulator.getTruth().gpuJoules).toEqual([2250, 2250]);
  expect(simulator.getTruth(mark).gpuJoules).toEqual([1500, 1500]);
});
