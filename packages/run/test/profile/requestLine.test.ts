import { readProfileRecords } from '@org/formats/read';
import { writeProfileRecordLine } from '@org/formats/write';
import { computeRequestMetrics, type RequestRecord } from '@org/loadgen';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toEndedRequest, toRequestLine } from '../../src/profile/requestLine.ts';
import { createRecord } from './records.ts';

const ORIGIN_NS = 1_795_259_059_503_084_501n;
const CONTEXT = { originNs: ORIGIN_NS, hasWarmup: false };

/** Creates a request that ends 17 ns after its last token. */
function createEndedRecord(
  startNs: number,
  lastTokenNs: number | undefined,
  changes: Partial<RequestRecord> = {},
): RequestRecord {
  const times = { firstTokenNs: lastTokenNs, firstOutputNs: lastTokenNs, lastTokenNs };
  return createRecord(startNs, { ...times, endNs: (lastTokenNs ?? startNs) + 17, ...changes });
}

/** Writes a request as a line and parses it. */
async function readBack(record: RequestRecord): Promise<ReturnType<typeof toEndedRequest>> {
  const line = writeProfileRecordLine(toRequestLine(record, computeRequestMetrics(record), CONTEXT));
  for await (const read of readProfileRecords(new TextEncoder().encode(`${line}\n`)))
    return toEndedRequest(read, ORIGIN_NS);
  throw new Error('no line');
}

test('preserves the times of a request exactly, for latencies up to ten days', async () => {
  const days = 86_400e9;
  const times = fc.tuple(
    fc.integer({ min: 0, max: 100 * days }),
    fc.oneof(fc.integer({ min: 0, max: 1e12 }), fc.integer({ min: 0, max: 10 * days })),
  );
  await fc.assert(
    fc.asyncProperty(times, async ([startNs, latencyNs]) => {
      const request = await readBack(createEndedRecord(startNs, startNs + latencyNs));
      expect(request).toEqual({
        startNs,
        intendedNs: startNs,
        endNs: startNs + latencyNs + 17,
        lastTokenNs: startNs + latencyNs,
        failure: undefined,
        cancelled: false,
      });
    }),
    { numRuns: 300 },
  );
});

test.each([
  { type: 'HttpError', code: 503, message: 'no' },
  { type: 'ConnectionRefused', message: 'connect ECONNREFUSED' },
  { type: 'EmptyResponse', message: 'it says "nothing" \u2028' },
] as const)('preserves a failure: %j', async failure => {
  expect(await readBack(createEndedRecord(5, undefined, { failure }))).toEqual({
    startNs: 5,
    intendedNs: 5,
    endNs: 22,
    lastTokenNs: undefined,
    failure,
    cancelled: false,
  });
});

test('preserves the steps of speculative decoding, and omits numbers of tokens without steps', async () => {
  const speculation = {
    meanLength: 2.75,
    acceptanceRate: 7 / 12,
    histogram: [1, 0, 2, 1],
    acceptedTokens: 7,
    draftTokens: 12,
    steps: 4,
    maxDraftTokens: 3,
  };
  const record = createEndedRecord(5, 10, { speculation });
  expect(toRequestLine(record, {}, CONTEXT).spec_decode_acceptance).toEqual({
    engine: 'vllm',
    mean_acceptance_length: 2.75,
    draft_acceptance_rate: 7 / 12,
    acceptance_histogram: { 0: 1, 2: 2, 3: 1 },
    num_accepted_draft_tokens: 7,
    num_draft_tokens: 12,
    num_spec_steps: 4,
    num_spec_tokens: 3,
  });
  const { histogram } = (await readBack(record)).speculation!;
  expect([...histogram].map(steps => steps ?? 0)).toEqual([1, 0, 2, 1]);
});

test('preserves a cancellation', async () => {
  const failure = { type: 'Interrupted', code: 499, message: 'the run was interrupted' } as const;
  const record = createEndedRecord(5, undefined, { failure, cancelled: true, cancelledNs: 20 });
  expect(await readBack(record)).toMatchObject({ failure, cancelled: true });
});

test.each([
  ['warmup', true, { phase_index: 0, phase_name: 'warmup', phase_kind: 'warmup' }],
  [
    'profiling',
    true,
    { phase_index: 1, profiling_index: 0, phase_name: 'profiling', phase_kind: 'profiling' },
  ],
  [
    'profiling',
    false,
    { phase_index: 0, profiling_index: 0, phase_name: 'profiling', phase_kind: 'profiling' },
  ],
] as const)('records the position of the phase %s, with a warm-up: %j', (phase, hasWarmup, position) => {
  const record = createRecord(5, { phase, correlationId: 'root' });
  const { metadata } = toRequestLine(record, {}, { originNs: ORIGIN_NS, hasWarmup });
  const session = { context_overflow_skip: false, agent_depth: 0, root_correlation_id: 'root' };
  expect(metadata).toMatchObject({ benchmark_phase: phase, ...position, ...session });
  expect('profiling_index' in metadata).toBe(phase === 'profiling');
});

test('records stream_finished only for streams without an end marker', () => {
  const getMetadata = (missingEndMarker: boolean) =>
    toRequestLine(createEndedRecord(5, 9, { missingEndMarker }), {}, CONTEXT).metadata;
  expect(getMetadata(true)).toMatchObject({ stream_finished: false });
  expect(getMetadata(false)).not.toHaveProperty('stream_finished');
});

test.each([
  [true, 1],
  [undefined, undefined],
])('names the URL of a request if there are several: %s', (hasSeveralUrls, index) => {
  const record = createEndedRecord(5, 9, { urlIndex: 1 });
  const line = toRequestLine(record, {}, { ...CONTEXT, ...(hasSeveralUrls && { hasSeveralUrls }) });
  expect(line.metadata.url_index).toBe(index);
});
