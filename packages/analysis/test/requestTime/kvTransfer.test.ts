import { describe, expect, test } from 'vitest';
import { compute, createLatencies, type Metrics, VLLM } from './metrics.ts';

describe('KV transfers between engines', () => {
  test.each<[string, Metrics, object]>([
    [
      'vLLM: a part of the queue',
      { ...createLatencies(VLLM), ...createLatencies({ 'vllm:nixl_xfer_time_seconds': 0.05 }) },
      { within: 'queue', transfers: 100, meanMs: 50, share: 0.05 },
    ],
    [
      'vLLM: only some requests have one',
      {
        ...createLatencies(VLLM),
        ...createLatencies({ 'vllm:nixl_xfer_time_seconds': 0.05 }, { count: 10 }),
      },
      { within: 'queue', transfers: 10, meanMs: 5 },
    ],
    [
      'vLLM: several of one request, which run at the same time',
      {
        ...createLatencies(VLLM),
        ...createLatencies({ 'vllm:nixl_xfer_time_seconds': 0.1 }, { count: 800 }),
      },
      { within: 'queue', transfers: 800, meanMs: 800 },
    ],
    [
      'SGLang: a part of the prefill',
      createLatencies({
        'sglang:e2e_request_latency_seconds': 2,
        'sglang:time_to_first_token_seconds': 0.5,
        'sglang:queue_time_seconds': 0.3,
        'sglang:kv_transfer_latency_ms': 40,
      }),
      { within: 'prefill', transfers: 100, meanMs: 40, share: 0.02 },
    ],
    [
      'a server that does not measure its queue',
      createLatencies({
        'vllm:e2e_request_latency_seconds': 1,
        'vllm:time_to_first_token_seconds': 0.4,
        'vllm:nixl_xfer_time_seconds': 0.05,
      }),
      { within: 'first_token', meanMs: 50 },
    ],
  ])('%s', (_, metrics, transfer) => {
    const time = compute(metrics)!;
    expect(time.kvTransfer).toMatchObject(transfer);
    expect(time.stages.reduce((sum, { meanMs }) => sum + meanMs, 0)).toBeCloseTo(time.meanMs, 6);
    expect(time.unknown).toEqual([]);
  });

  test('are not known if they took longer than the stage that contains them', () => {
    const time = compute(createLatencies({ ...VLLM, 'vllm:nixl_xfer_time_seconds': 0.5 }))!;
    expect(time.kvTransfer).toBeUndefined();
    expect(time.unknown).toEqual(['KV transfer: its time is longer than the stage that contains it']);
  });

  test('are absent if there were none', () => {
    expect(compute(createLatencies(VLLM))).not.toHaveProperty('kvTransfer');
  });
});
