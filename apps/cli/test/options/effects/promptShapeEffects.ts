import type { ObservedRun } from '../../support/observedRun.ts';
import type { Effect } from './effect.ts';

const getWords = ({ requests }: ObservedRun): string[][] =>
  requests.map(({ body }) => String(body.messages.at(-1).content).split(/\s+/));
const countDistinct = (values: readonly unknown[]): number => new Set(values).size;
const countWords = (run: ObservedRun): number[] => getWords(run).map(words => words.length);
const readRange = (run: ObservedRun): unknown => [
  Math.min(...countWords(run)) < 10,
  Math.max(...countWords(run)) > 10,
];

/** The effects of the options for the text of prompts. */
export const PROMPT_SHAPE_EFFECTS: Readonly<Record<string, Effect>> = {
  'prompt-prefix-pool-size': {
    words: '--prompt-prefix-pool-size 2 --prompt-prefix-length 3',
    requires: '--request-count 12',
    observe: run => countDistinct(getWords(run).map(words => words.slice(0, 3).join(' '))),
    without: 12,
    with: 2,
  },
  'prompt-prefix-length': {
    words: '--prompt-prefix-length 3 --prompt-prefix-pool-size 2',
    requires: '--request-count 2',
    observe: countWords,
    without: [10, 10],
    with: [13, 13],
  },
  // The prompts of the trace have 6 tokens, and the same hash id.
  'isl-block-size': {
    words: '--isl-block-size 3',
    requires: '--input-file blocks.jsonl',
    observe: run => countDistinct(getWords(run).map(words => words.slice(0, 6).join(' '))),
    without: 1,
    with: 2,
  },
  'random-range-ratio': {
    requires: '--isl 10 --osl 5 --request-count 20',
    observe: readRange,
    without: [false, false],
    with: [true, true],
  },
  'random-corpus-style': {
    requires: '--isl 10 --osl 5 --random-range-ratio 0.3 --request-count 20',
    observe: readRange,
    without: [true, true],
    with: [true, false],
  },
  'prompt-corpus': {
    observe: run => getWords(run).every(words => words.every(word => /^[a-z]+$/.test(word))),
    without: true,
    with: false,
  },
  'cache-bust': {
    observe: ({ requests }) =>
      countDistinct(requests.map(({ body }) => /^\[rid:[0-9a-f]{12}\]/.exec(body.messages[0].content)?.[0])),
    without: 1,
    with: 10,
  },
};
