import { UsageError } from '@org/terminal';
import { parseCommandLine } from '@org/terminal/parse';
import { expect, test } from 'vitest';
import { profileCommand } from '../../src/commands/profile.ts';
import { describeIneffectiveOptions } from '../../src/profile/ineffectiveOptions.ts';
import { readProfile, splitWords } from '../support/options.ts';

const read = (line: string) => readProfile(['--model', 'm', ...splitWords(line)]).plan.inputs;

test.each([
  ['--prompt-prefix-pool-size 2 --prompt-prefix-length 20', { prefixes: { size: 2, tokens: 20 } }],
  ['--num-prefix-prompts 2 --prefix-prompt-length 20', { prefixes: { size: 2, tokens: 20 } }],
  ['--prefix-prompt-pool-size 2 --prefix-prompt-length 20', { prefixes: { size: 2, tokens: 20 } }],
  ['--prompt-corpus RANDOM', { corpus: 'random' }],
  ['--prompt-corpus coding', { corpus: 'coding' }],
  ['--cache-bust First-Turn-Suffix', { cacheBust: 'first_turn_suffix' }],
  ['--input-file a --custom-dataset-type mooncake_trace --isl-block-size 64', { blockTokens: 64 }],
  [
    '--input-file a --custom-dataset-type bailian_trace --synthetic-input-tokens-block-size 8',
    { blockTokens: 8 },
  ],
  [
    '--isl 50 --osl 10 --random-range-ratio 0.5 --random-corpus-style sglang',
    { range: { input: { min: 25, max: 50 }, output: { min: 5, max: 10 }, ratio: '0.5', style: 'sglang' } },
  ],
])('reads %s', (line, inputs) => {
  expect(read(line)).toMatchObject(inputs);
});

test.each([
  '',
  '--cache-bust none',
  '--prompt-prefix-pool-size 0',
  '--num-prefix-prompts 0 --prefix-prompt-length 0',
])('plain prompts are the default, also with %j', line => {
  expect(read(line)).not.toHaveProperty('prefixes');
  expect(read(line)).not.toHaveProperty('cacheBust');
});

test.each([
  ['--random-range-ratio 0.3 --isl 50', '--random-range-ratio requires --isl and --osl'],
  [
    '--random-range-ratio 2 --isl 50 --osl 10',
    'invalid --random-range-ratio "2": expected a number from 0 to less than 1',
  ],
  [
    '--random-range-ratio 0.3 --isl 50 --osl 10 --isl-stddev 3',
    'cannot use both --random-range-ratio and --synthetic-input-tokens-stddev',
  ],
  ['--random-range-ratio 0.3 --seq-dist 5,3:100', 'cannot use both --random-range-ratio and --seq-dist'],
  [
    '--prompt-prefix-length 5 --shared-system-prompt-length 5',
    'cannot use both --prompt-prefix-length and --shared-system-prompt-length',
  ],
  ['--input-file a --prompt-prefix-pool-size 2', 'cannot use --prompt-prefix-pool-size with --input-file'],
  [
    '--input-file a --custom-dataset-type raw_payload --cache-bust first_turn_prefix',
    'cannot use --cache-bust with a file of the type raw_payload, whose requests are sent as recorded',
  ],
  [
    '--cache-bust warmup_isolation_system',
    '--cache-bust warmup_isolation_system requires --shared-system-prompt-length or --system-prompt',
  ],
  ['--prompt-corpus poems', 'invalid --prompt-corpus "poems": expected one of sonnet, coding, random'],
])('rejects %s', (line, message) => {
  expect(() => read(line)).toThrow(UsageError);
  expect(() => read(line)).toThrow(message);
});

test.each([
  ['--prompt-prefix-length 5', '--prompt-prefix-length has no effect without --prompt-prefix-pool-size'],
  ['--prompt-prefix-pool-size 5', '--prompt-prefix-pool-size has no effect without --prompt-prefix-length'],
  ['--random-corpus-style vllm', '--random-corpus-style has no effect without --random-range-ratio'],
  ['--isl-block-size 3', '--isl-block-size has no effect without a trace, because only traces have hash ids'],
  [
    '--input-file a --custom-dataset-type single_turn --isl-block-size 3',
    '--isl-block-size has no effect without a trace, because only traces have hash ids',
  ],
  [
    '--input-file a --custom-dataset-type single_turn --prompt-corpus random',
    '--prompt-corpus has no effect with the prompts of a file',
  ],
  [
    '--input-file a --custom-dataset-type inputs_json --system-prompt x',
    '--system-prompt has no effect with a file of the type inputs_json, whose request bodies are sent unchanged',
  ],
  [
    '--input-file a --custom-dataset-type raw_payload --osl 5',
    '--output-tokens-mean has no effect with a file of the type raw_payload, whose request bodies are sent unchanged',
  ],
])('notes that an option of %s has no effect', (line, message) => {
  const words = ['--model', 'm', ...splitWords(line)];
  const raw = parseCommandLine(profileCommand, words, 'servelens profile');
  expect(describeIneffectiveOptions(raw, [readProfile(words).plan])).toContain(message);
});
