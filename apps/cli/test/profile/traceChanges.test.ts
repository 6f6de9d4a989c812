import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import { readProfile, splitWords } from '../support/options.ts';

const read = (line: string) => readProfile(['--model', 'm', ...splitWords(line)]).plan.inputs;
const TRACE = '--input-file a --custom-dataset-type mooncake_trace';

test('reads the changes of a trace', () => {
  const options =
    '--synthesis-speedup-ratio 2 --synthesis-prefix-len-multiplier 0.5 --synthesis-prefix-root-multiplier 3 --synthesis-prompt-len-multiplier 1.5 --synthesis-output-len-multiplier 0 --synthesis-max-isl 40 --synthesis-max-osl 6';
  expect(read(`${TRACE} ${options}`).synthesis).toEqual({
    speedup: 2,
    prefixFactor: 0.5,
    prefixCopies: 3,
    promptFactor: 1.5,
    outputFactor: 0,
    maxInput: 40,
    maxOutput: 6,
  });
  expect(read(TRACE)).not.toHaveProperty('synthesis');
});

test('reads the maximum delay between turns', () => {
  expect(read('--input-file a --inter-turn-delay-cap-seconds 0.5')).toMatchObject({ delayCapSeconds: 0.5 });
});

test.each([
  [`${TRACE} --synthesis-prefix-root-multiplier 1.5`, 'invalid --synthesis-prefix-root-multiplier "1.5"'],
  [`${TRACE} --synthesis-speedup-ratio 0`, 'invalid --synthesis-speedup-ratio "0"'],
])('rejects %s', (line, message) => {
  expect(() => read(line)).toThrow(UsageError);
  expect(() => read(line)).toThrow(message);
});
