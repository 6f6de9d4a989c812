import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import { readProfile, splitWords } from '../support/options.ts';
import { BASETEN_TRACE } from '../support/replaySamples.ts';

const read = (line: string) => readProfile(['--model', 'm', ...splitWords(line)]).plan.inputs;
const TRACE = `--input-file ${BASETEN_TRACE}`;

test('detects a Parquet file as a baseten_trace, and replays it at its timestamps', () => {
  expect(read(TRACE)).toMatchObject({ datasetType: 'baseten_trace', fixedSchedule: true });
  expect(read(`${TRACE} --request-rate 5`)).toMatchObject({ fixedSchedule: false });
});

test('reads the options of a replay', () => {
  const options =
    '--trace-session-sample-ratio 0.5 --replay-speedup 10 --max-idle-gap-cap-seconds 2 --no-open-loop-replay --omit-kv-hints --no-force-min-tokens';
  expect(read(`${TRACE} ${options}`).replay).toEqual({
    sessionShare: 0.5,
    speedup: 10,
    maxIdleMs: 2000,
    turns: 'closed',
    omitsHints: true,
    forcesLength: false,
  });
  expect(read(`${TRACE} --open-loop-strict`).replay).toEqual({ turns: 'independent' });
  expect(read(`${TRACE} --open-loop-replay --force-min-tokens`)).not.toHaveProperty('replay');
});

test.each([
  ['--replay-speedup 2', '--replay-speedup requires a baseten_trace (--input-file)'],
  [
    '--input-file a --custom-dataset-type mooncake_trace --omit-kv-hints',
    '--omit-kv-hints requires a baseten_trace (--input-file); the type of --input-file is mooncake_trace',
  ],
  [`${TRACE} --trace-session-sample-ratio 2`, 'invalid --trace-session-sample-ratio "2"'],
  [`${TRACE} --replay-speedup 0`, 'invalid --replay-speedup "0"'],
  [
    `${TRACE} --synthesis-speedup-ratio 2`,
    'cannot use --synthesis-speedup-ratio with a baseten_trace: use --replay-speedup',
  ],
  [
    `${TRACE} --synthesis-prompt-len-multiplier 2`,
    'cannot use --synthesis-prompt-len-multiplier with a baseten_trace: its prompts are sent as they were recorded',
  ],
  [
    `${TRACE} --no-open-loop-replay --open-loop-strict`,
    'cannot use both --no-open-loop-replay and --open-loop-strict',
  ],
  [
    `${TRACE} --open-loop-replay --no-open-loop-replay`,
    'cannot use both --open-loop-replay and --no-open-loop-replay',
  ],
  [
    `${TRACE} --extra-inputs min_tokens:3`,
    '--extra-inputs min_tokens is replaced by the baseten_trace; to send it, add --no-force-min-tokens',
  ],
  [
    `${TRACE} --extra-inputs block_size:3`,
    '--extra-inputs block_size is replaced by the baseten_trace; to send it, add --omit-kv-hints',
  ],
])('rejects %s', (line, message) => {
  expect(() => read(line)).toThrow(UsageError);
  expect(() => read(line)).toThrow(message);
});
