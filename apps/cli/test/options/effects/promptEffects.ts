import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readTurnDelays } from '../../support/recordedLines.ts';
import type { Effect } from './effect.ts';
import { countSessionTurns, countWords, getPrompts, unique } from './observations.ts';

/** Lists the effects of options for generated prompts, with the sample files in `cwd`. */
export function listPromptEffects(cwd: string): Readonly<Record<string, Effect>> {
  return {
    'synthetic-input-tokens-mean': {
      observe: run => unique(getPrompts(run).map(countWords)),
      without: [10],
      with: [30],
    },
    'synthetic-input-tokens-stddev': {
      observe: run => unique(getPrompts(run).map(countWords)).length > 1,
      without: false,
      with: true,
    },
    'output-tokens-mean': {
      observe: ({ requests }) => requests[0]!.body.max_completion_tokens,
      without: undefined,
      with: 4,
    },
    'output-tokens-stddev': {
      observe: ({ requests }) => unique(requests.map(({ body }) => body.max_completion_tokens)).length > 1,
      without: false,
      with: true,
    },
    'conversation-turn-mean': {
      observe: ({ requests }) => unique(requests.map(({ body }) => body.messages.length)),
      without: [1],
      with: [1, 3],
    },
    'conversation-turn-stddev': {
      requires: '--conversation-turn-mean 3 --num-sessions 6',
      observe: run => countSessionTurns(run) > 1,
      without: false,
      with: true,
    },
    'conversation-turn-delay-mean': {
      observe: run => Math.min(...readTurnDelays(run)) > 49,
      without: false,
      with: true,
    },
    'conversation-turn-delay-stddev': {
      requires: '--conversation-turn-mean 2 --conversation-turn-delay-mean 50 --num-sessions 6',
      observe: run => Math.min(...readTurnDelays(run)) < 49,
      without: false,
      with: true,
    },
    'seq-dist': {
      observe: run => [
        unique(getPrompts(run).map(countWords)),
        unique(run.requests.map(({ body }) => body.max_completion_tokens)),
      ],
      without: [[10], [undefined]],
      with: [[5], [3]],
    },
    'user-context-prompt-length': {
      observe: ({ requests }) => unique(requests.map(({ body }) => body.messages.length)),
      without: [1],
      with: [2],
    },
    'system-prompt': {
      observe: ({ requests }) => requests[0]!.body.messages[0],
      without: expect.objectContaining({ role: 'user' }),
      with: { role: 'system', content: 'Hello' },
    },
    'system-prompt-file': {
      observe: ({ requests }) => requests[0]!.body.messages[0],
      without: expect.objectContaining({ role: 'user' }),
      with: { role: 'system', content: readFileSync(join(cwd, 'prompts.jsonl'), 'utf8') },
    },
    'shared-system-prompt-length': {
      observe: ({ requests }) => requests[0]!.body.messages[0].role,
      without: 'user',
      with: 'system',
    },
    'num-dataset-entries': { observe: run => unique(getPrompts(run)).length, without: 10, with: 2 },
    'unique-prompts': {
      requires: '--warmup-request-count 2 --request-count 2',
      observe: run => unique(getPrompts(run)).length,
      without: 2,
      with: 4,
    },
  };
}
