import { Random } from '@org/core';
import { expect, test } from 'vitest';
import type { TraceEntry } from '../../src/input/traceEntry.ts';
import { openTraceInputs } from '../../src/input/traceInputs.ts';
import { synthesizeTrace, type TraceSynthesis } from '../../src/input/traceSynthesis.ts';
import { openTokenizer } from '../../src/tokens/tokenizer.ts';
import { writeJsonl } from '../support/files.ts';

const LINES = [
  { timestamp: 0, input_length: 35, output_length: 10, hash_ids: [1, 2, 3, 4] },
  { timestamp: 401, input_length: 33, output_length: 7, hash_ids: [1, 2, 5, 6] },
  { timestamp: 1000, input_length: 48, output_length: 21, hash_ids: [1, 2, 3, 7, 8] },
  { timestamp: 1500, input_length: 12, output_length: 5 },
  { timestamp: 1700, input_length: 28, output_length: 5, hash_ids: [9, 10, 11] },
];
const BLOCK_TOKENS = 10;

const ENTRIES: readonly TraceEntry[] = LINES.map((line, index) => ({
  place: `trace:${index + 1}`,
  session: `${index}`,
  timestamp: line.timestamp,
  input: line.input_length,
  output: line.output_length,
  hashIds: line.hash_ids ?? [],
}));

const synthesize = (synthesis: TraceSynthesis) =>
  synthesizeTrace(ENTRIES, synthesis, BLOCK_TOKENS, new Random(1).fork('synthesis'));

// The lengths are those that AIPerf 0.13.0 sends for this trace.
test.each([
  ['no change', {}, [35, 33, 48, 12, 28]],
  ['a prefix of 1.5 times the blocks', { prefixFactor: 1.5 }, [55, 43, 68, 12, 28]],
  ['half of the prefix', { prefixFactor: 0.5 }, [15, 23, 28, 12, 28]],
  ['prompts of twice the length', { promptFactor: 2 }, [40, 46, 66, 12, 56]],
  ['copies of the prefixes', { prefixCopies: 3 }, [35, 33, 48, 12, 28]],
  ['a maximum', { maxInput: 34 }, [33, 12, 28]],
  ['a maximum of prompts that became longer', { promptFactor: 3, maxInput: 40 }, [40, 40, 12, 40]],
] as const)('%s changes the lengths of prompts', (_, synthesis, lengths) => {
  expect(synthesize(synthesis).map(({ input }) => input)).toEqual(lengths);
});

test.each([
  [{ outputFactor: 0.5 }, [5, 4, 10, 2, 2]],
  [{ maxOutput: 6 }, [6, 6, 6, 5, 5]],
  [{ outputFactor: 0.01 }, [1, 1, 1, 1, 1]],
] as const)('%j changes the lengths of responses', (synthesis, lengths) => {
  expect(synthesize(synthesis).map(({ output }) => output)).toEqual(lengths);
});

test('a speed-up divides timestamps, without fractions', () => {
  expect(synthesize({ speedup: 2 }).map(({ timestamp }) => timestamp)).toEqual([0, 200, 500, 750, 850]);
});

/** Returns the number of blocks that two requests share at the start. */
function countShared(a: TraceEntry, b: TraceEntry): number {
  const first = a.hashIds.findIndex((id, index) => id !== b.hashIds[index]);
  return first === -1 ? a.hashIds.length : first;
}

test.each([
  [{ prefixFactor: 2 }, 4, 6],
  [{ prefixFactor: 0.5 }, 1, 1],
  [{ promptFactor: 2 }, 2, 3],
] as const)('%j keeps or stretches what requests share', (synthesis, second, third) => {
  const [a, b, c, , last] = synthesize(synthesis);
  expect([countShared(a!, b!), countShared(a!, c!)]).toEqual([second, third]);
  expect(countShared(a!, last!)).toBe(0);
  for (const { input, hashIds } of [a!, b!, c!, last!])
    expect(hashIds.length).toBe(Math.ceil(input! / BLOCK_TOKENS));
});

test('copies of the prefixes share nothing with each other', () => {
  const prefix = (number: number): TraceEntry => ({ ...ENTRIES[0]!, hashIds: [1, 2], input: 20 + number });
  const entries = Array.from({ length: 90 }, (_, index) => prefix(index));
  const changed = synthesizeTrace(entries, { prefixCopies: 3 }, BLOCK_TOKENS, new Random(1));
  const counts = new Map<number, number>();
  for (const { hashIds } of changed) counts.set(hashIds[0]!, (counts.get(hashIds[0]!) ?? 0) + 1);
  expect(counts.size).toBe(3);
  for (const count of counts.values()) expect(count).toBeGreaterThan(15);
});

test('ids of 64 bits that differ remain different', () => {
  const entries = [2 ** 60, 2 ** 60 + 256].flatMap(id => [
    { ...ENTRIES[0]!, hashIds: [id], input: 10 },
    { ...ENTRIES[0]!, hashIds: [id], input: 10 },
  ]);
  const ids = synthesizeTrace(entries, { promptFactor: 2 }, BLOCK_TOKENS, new Random(1)).map(
    ({ hashIds }) => hashIds[0],
  );
  expect(ids[0]).toBe(ids[1]);
  expect(ids[2]).toBe(ids[3]);
  expect(ids[0]).not.toBe(ids[2]);
});

test('a trace is changed when it is opened', async () => {
  const tokenizer = await openTokenizer();
  const inputs = await openTraceInputs(writeJsonl(...LINES), {
    tokenizer,
    blockTokens: BLOCK_TOKENS,
    synthesis: { speedup: 2, promptFactor: 2, maxOutput: 6 },
  });
  const turns = Array.from({ length: inputs.size! }, (_, index) => inputs.getConversation(index).turns[0]!);
  expect(inputs.startsMs).toEqual([0, 200, 500, 750, 850]);
  expect(turns.map(({ text, maxTokens }) => [tokenizer.count(text), maxTokens])).toEqual([
    [40, 6],
    [46, 6],
    [66, 6],
    [12, 5],
    [56, 5],
  ]);
});

test('rejects a maximum that leaves out all prompts', async () => {
  await expect(
    openTraceInputs(writeJsonl(...LINES), { blockTokens: BLOCK_TOKENS, synthesis: { maxInput: 5 } }),
  ).rejects.toThrow(/ has no prompts of at most 5 tokens; the shortest has 12$/);
});
