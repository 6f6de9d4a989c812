import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readBasetenTrace } from '../../src/input/basetenTrace.ts';
import type { Inputs } from '../../src/input/conversation.ts';
import { openTraceInputs } from '../../src/input/traceInputs.ts';
import type { TraceReplay } from '../../src/input/traceReplay.ts';
import type { TraceSynthesis } from '../../src/input/traceSynthesis.ts';
import { writeTempFile } from '../support/files.ts';

const getFile = (name: string): string => fileURLToPath(new URL(`../files/${name}`, import.meta.url));
// Written by pyarrow, compressed with zstd.
const TRACE = getFile('baseten.parquet');

function listConversations(inputs: Inputs) {
  return Array.from({ length: inputs.size! }, (_, index) => inputs.getConversation(index));
}

async function open(
  replay: TraceReplay = {},
  options: { readonly synthesis?: TraceSynthesis; readonly startMs?: number } = {},
) {
  const inputs = await openTraceInputs(TRACE, { type: 'baseten_trace', replay, ...options });
  return { starts: inputs.startsMs, conversations: listConversations(inputs) };
}

test('sends recorded prompts at their times, with the recorded lengths and the hints for routers', async () => {
  const { starts, conversations } = await open();
  expect(starts).toEqual([0, 300, 2500]);
  expect(conversations.map(({ turns }) => turns)).toEqual([
    [
      {
        text: 'the batch waits.',
        isComplete: true,
        maxTokens: 6,
        extra: { min_tokens: 6, hash_ids: [1, 2], block_size: 2 },
      },
      {
        text: 'the batch waits. the batch.',
        isComplete: true,
        // The request was cancelled before its first token.
        maxTokens: 1,
        extra: { min_tokens: 1, hash_ids: [1, 2, 3, 4], block_size: 2 },
        atMs: 900,
      },
    ],
    [{ text: 'waits', isComplete: true, maxTokens: 3, extra: { min_tokens: 3 } }],
    [
      {
        text: 'the the the',
        isComplete: true,
        maxTokens: 5,
        extra: { min_tokens: 5, hash_ids: [Number.MAX_SAFE_INTEGER], block_size: 2 },
      },
    ],
  ]);
});

test('leaves out hints and min_tokens', async () => {
  const { conversations } = await open({ omitsHints: true, forcesLength: false });
  expect(conversations.flatMap(({ turns }) => turns.map(({ extra }) => extra))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('sends changed output lengths as min_tokens, too', async () => {
  const { conversations } = await open({}, { synthesis: { outputFactor: 2, maxOutput: 8 } });
  const turns = conversations.flatMap(conversation => conversation.turns);
  expect(turns.map(({ maxTokens, extra }) => [maxTokens, extra?.min_tokens])).toEqual([
    [8, 8],
    [2, 2],
    [6, 6],
    [8, 8],
  ]);
});

test('divides the times by the speed after the offsets of the schedule', async () => {
  const { starts, conversations } = await open({ speedup: 2 });
  expect(starts).toEqual([0, 150, 1250]);
  expect(conversations[0]!.turns[1]!.atMs).toBe(450);
  expect((await open({ speedup: 2 }, { startMs: 300 })).starts).toEqual([0, 300, 1100]);
});

test('shortens times without a request, after the speed', async () => {
  const { starts, conversations } = await open({ maxIdleMs: 500 });
  expect([starts, conversations[0]!.turns[1]!.atMs]).toEqual([[0, 300, 1300], 800]);
  expect((await open({ maxIdleMs: 500, speedup: 2 })).starts).toEqual([0, 150, 950]);
});

test('a closed loop delays turns by the time between the previous response and the turn', async () => {
  const { starts, conversations } = await open({ turns: 'closed' });
  expect(starts).toEqual([0, 300, 2500]);
  // 900 ms after the first turn, whose response took 100 ms.
  expect(conversations[0]!.turns[1]).toMatchObject({ delayMs: 800 });
  expect((await open({ turns: 'closed', speedup: 2 })).conversations[0]!.turns[1]).toMatchObject({
    delayMs: 400,
  });
});

test('independent turns are conversations', async () => {
  const { starts, conversations } = await open({ turns: 'independent' });
  expect([starts, conversations.map(({ turns }) => turns.length)]).toEqual([
    [0, 300, 900, 2500],
    [1, 1, 1, 1],
  ]);
});

test('replays a share of the sessions, at least one', async () => {
  const counts = await Promise.all(
    [1e-9, 0.5, 1].map(async sessionShare => (await open({ sessionShare })).conversations.length),
  );
  expect(counts[0]).toBe(1);
  expect(counts[2]).toBe(3);
  expect(counts[1]).toBeLessThanOrEqual(3);
});

test('a hash that JSON cannot represent is an error, unless hints are left out', async () => {
  const path = getFile('baseten-large-hash.parquet');
  await expect(readBasetenTrace(path)).rejects.toThrow(
    `${path}:1: total_hashes has 4611686018427387904; expected integers from 0 to 9007199254740991, or --omit-kv-hints`,
  );
  await expect(readBasetenTrace(path, { omitsHints: true })).resolves.toHaveLength(1);
});

test.each([
  [
    getFile('baseten-without-output.parquet'),
    'has no column "output_tokens"; expected timestamp_start_unix_ms, prompt',
  ],
  ['trace.arrow', 'is an Arrow IPC file, which is not supported; expected a Parquet file'],
])('%s is not a trace of Baseten', async (path, message) => {
  await expect(readBasetenTrace(path)).rejects.toThrow(`${path} ${message}`);
});

test('names a file that is not Parquet', async () => {
  const path = writeTempFile('trace.parquet', 'timestamp,prompt\n');
  await expect(readBasetenTrace(path)).rejects.toThrow(`${path} cannot be read as Parquet: `);
});
