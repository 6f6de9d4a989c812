import { join } from 'node:path';
import { readDueTimes } from '../../support/recordedLines.ts';
import type { Effect } from './effect.ts';
import { countWords, getPrompt, getPrompts, readLoad, readTag, unique } from './observations.ts';

/** A part of a message, which may be an image. */
interface ImagePart {
  readonly image_url?: { readonly url: string };
}

/** Lists the effects of options for inputs and tokenizers, with the server at `url` and the sample files in `cwd`. */
export function listInputEffects(url: string, cwd: string): Readonly<Record<string, Effect>> {
  return {
    'public-dataset': {
      observe: run => getPrompts(run)[0] === 'Which questions are in the data set?',
      without: false,
      with: true,
    },
    'hf-subset': {
      observe: run => getPrompts(run)[0],
      without: 'How many is main?',
      with: 'How many is socratic?',
    },
    'input-file': { observe: run => getPrompts(run)[0] === 'first', without: false, with: true },
    'custom-dataset-type': {
      requires: '--input-file mixed.jsonl',
      observe: ({ requests, code }) => [code, unique(requests.map(getPrompt)).length],
      without: [2, 0],
      with: [0, 3],
    },
    'dataset-sampling-strategy': {
      observe: run => getPrompts(run).every((prompt, i) => prompt === ['first', 'second', 'third'][i % 3]),
      without: true,
      with: false,
    },
    // A file with timestamps is replayed by default.
    'fixed-schedule': {
      words: '--fixed-schedule',
      requires: '--input-file timed.jsonl --dataset-sampling-strategy sequential',
      observe: run => readDueTimes(run),
      without: [0, 300],
      with: [0, 300],
    },
    'no-fixed-schedule': { observe: run => readDueTimes(run).at(-1) === 300, without: true, with: false },
    'fixed-schedule-start-offset': { observe: ({ requests }) => requests.length, without: 3, with: 2 },
    'fixed-schedule-end-offset': { observe: ({ requests }) => requests.length, without: 3, with: 2 },
    tokenizer: {
      words: `--tokenizer ${join(cwd, 'tokenizer.json')}`,
      observe: run => readLoad(run).tokenizer,
      without: 'o200k_base',
      with: join(cwd, 'tokenizer.json'),
    },
    'apply-chat-template': {
      requires: `--tokenizer ${join(cwd, 'tokenizer.json')} --token-count client`,
      observe: run => [countWords(getPrompt(run.requests[0]!)), readTag('input_sequence_length')(run)],
      without: [10, 10],
      with: [6, 10],
    },
    'uuid-and-strip': {
      observe: ({ requests }) =>
        requests.map(({ body }) => body.messages[0].content.map((part: ImagePart) => part.image_url?.url)),
      without: [
        [undefined, 'http://127.0.0.1/1.png'],
        [undefined, 'http://127.0.0.1/1.png'],
      ],
      with: [
        [undefined, 'http://127.0.0.1/1.png'],
        [undefined, ''],
      ],
    },
    'token-count': { observe: run => readLoad(run).token_source, without: 'server', with: 'client' },
    'use-server-token-count': {
      requires: `--url ${url}/plain`,
      observe: run => readLoad(run).token_source,
      without: 'client',
      with: 'server',
    },
  };
}
