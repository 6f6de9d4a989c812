import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ObservedRun } from '../../support/observedRun.ts';
import { readDueTimes, readTurnDelays } from '../../support/recordedLines.ts';
import type { Effect } from './effect.ts';

/** A trace of two requests that share a block of 4 tokens, and of a conversation with a delay of 400 ms. */
const TRACE = [
  { timestamp: 0, input_length: 6, output_length: 4, hash_ids: [1, 2] },
  { timestamp: 200, input_length: 8, output_length: 4, hash_ids: [1, 3] },
];
const CONVERSATION = [
  { session_id: 's', input_length: 2 },
  { session_id: 's', input_length: 2, delay: 400 },
];

/** Writes the traces of the effects. */
export function writeTraces(cwd: string): void {
  const write = (name: string, lines: readonly object[]): void =>
    writeFileSync(join(cwd, name), lines.map(line => `${JSON.stringify(line)}\n`).join(''));
  write('shared.jsonl', TRACE);
  write('delayed.jsonl', CONVERSATION);
}

const getWords = ({ requests }: ObservedRun): string[][] =>
  requests.map(({ body }) => String(body.messages.at(-1).content).split(' '));
const countWords = (run: ObservedRun): number[] => getWords(run).map(words => words.length);
const countPrefixes = (run: ObservedRun): number =>
  new Set(getWords(run).map(words => words.slice(0, 4).join(' '))).size;
const readOutputLengths = ({ requests }: ObservedRun): unknown[] =>
  requests.map(({ body }) => body.max_completion_tokens);

const requires = '--input-file shared.jsonl --isl-block-size 4';

/** The effects of the options that change a trace. */
export const TRACE_EFFECTS: Readonly<Record<string, Effect>> = {
  'synthesis-speedup-ratio': {
    requires,
    observe: run => readDueTimes(run),
    without: [0, 200],
    with: [0, 100],
  },
  'synthesis-prefix-len-multiplier': { requires, observe: countWords, without: [6, 8], with: [10, 12] },
  'synthesis-prefix-root-multiplier': {
    requires,
    words: '--synthesis-prefix-root-multiplier 1000000',
    observe: countPrefixes,
    without: 1,
    with: 2,
  },
  'synthesis-prompt-len-multiplier': { requires, observe: countWords, without: [6, 8], with: [8, 12] },
  'synthesis-output-len-multiplier': { requires, observe: readOutputLengths, without: [4, 4], with: [8, 8] },
  'synthesis-max-isl': { requires, observe: countWords, without: [6, 8], with: [6] },
  'synthesis-max-osl': { requires, observe: readOutputLengths, without: [4, 4], with: [2, 2] },
  'inter-turn-delay-cap-seconds': {
    requires: '--input-file delayed.jsonl --num-sessions 1',
    observe: run => Math.min(...readTurnDelays(run)) > 390,
    without: true,
    with: false,
  },
};
