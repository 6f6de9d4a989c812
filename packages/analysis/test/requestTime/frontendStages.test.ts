import { describe, expect, test } from 'vitest';
import { createHistogram, createMetric, URL_B } from '../documents.ts';
import { compute, createLatencies, type Metrics, readMeans, VLLM } from './metrics.ts';

/** Creates the stages that Dynamo's frontend measures, from their counts and sums in seconds. */
function createDynamoStages(
  stages: Readonly<Record<string, readonly [count: number, sum: number]>>,
): Metrics {
  const series = Object.entries(stages).map(([stage, [count, sum]]) =>
    createHistogram(count, sum / count, { labels: { stage } }),
  );
  return { dynamo_frontend_stage_duration_seconds: createMetric('histogram', series, 'seconds') };
}

// Counts and sums of the pages that Dynamo 1.6.1 wrote with its mock engine.
describe('stages of the frontend of Dynamo', () => {
  test('one worker: transport is the round trip until the first token, minus the time to first token of the engine', () => {
    const time = compute({
      ...createLatencies({ dynamo_frontend_request_duration_seconds: 119.496 / 390 }, { count: 390 }),
      ...createDynamoStages({
        preprocess: [390, 0.41578],
        route: [390, 0.00706],
        transport_roundtrip: [390, 11.83634],
      }),
      ...createLatencies(
        {
          'vllm:e2e_request_latency_seconds': 118.294 / 390,
          'vllm:time_to_first_token_seconds': 11.39535 / 390,
        },
        { count: 390, url: URL_B },
      ),
    });
    expect(readMeans(time)).toEqual({
      preprocess: 1.1,
      route: 0,
      transport: 1.1,
      frontend: 0.9,
      first_token: 29.2,
      decode: 274.1,
    });
    expect(time!.unknown).toEqual([]);
    expect(time!.meanMs).toBeCloseTo(119_496 / 390, 6);
  });

  test('separate prefill workers: round trips overlap, so that transport is unknown', () => {
    const time = compute({
      ...createLatencies({ dynamo_frontend_request_duration_seconds: 122.489 / 271 }, { count: 271 }),
      ...createDynamoStages({
        preprocess: [271, 4.56582],
        route: [542, 0.00173],
        transport_roundtrip: [543, 50.1752],
      }),
      ...createLatencies(
        {
          'vllm:e2e_request_latency_seconds': 103.652 / 271,
          'vllm:time_to_first_token_seconds': 29.15533 / 271,
        },
        { count: 271, url: URL_B },
      ),
    });
    expect(readMeans(time)).toEqual({ preprocess: 16.8, frontend: 52.7, first_token: 107.6, decode: 274.9 });
    expect(time!.unknown).toEqual([
      'routing: measured for 542 requests, the whole request for 271',
      'transport to engines: measured for 543 requests, the whole request for 271',
    ]);
  });

  test('without its workers: the time to the first token contains transport, queue and prefill', () => {
    const time = compute({
      ...createLatencies({
        dynamo_frontend_request_duration_seconds: 1,
        dynamo_frontend_time_to_first_token_seconds: 0.4,
      }),
      ...createDynamoStages({ preprocess: [100, 5], route: [100, 1], transport_roundtrip: [100, 34] }),
    });
    expect(readMeans(time)).toEqual({ preprocess: 50, route: 10, first_token: 340, decode: 600 });
  });

  test('stages that are longer than the time in the frontend are left out', () => {
    const time = compute({
      ...createLatencies({ dynamo_frontend_request_duration_seconds: 1.2 }),
      ...createDynamoStages({ preprocess: [100, 30] }),
      ...createLatencies(VLLM, { url: URL_B }),
    });
    expect(readMeans(time)).toMatchObject({ frontend: 200, queue: 200 });
    expect(time!.unknown).toEqual(['stages of the frontend: their sum is longer than its time']);
  });
});
