import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import { readProfile, splitWords } from '../support/options.ts';

const read = (line: string) => readProfile(['--model', 'm', ...splitWords(line)]).plan.preparation;
const HOOK = { timeoutS: 30 };

test.each([
  ['', undefined],
  ['--wait-for-model-timeout 0', undefined],
  ['--wait-for-model-timeout 60', { waitForModels: { timeoutS: 60, mode: 'inference', intervalS: 5 } }],
  [
    '--wait-for-model-timeout 60 --wait-for-model-mode both --wait-for-model-interval 2',
    { waitForModels: { timeoutS: 60, mode: 'both', intervalS: 2 } },
  ],
  ['--reset-kv-cache', { resetCache: { ...HOOK, path: '/reset_prefix_cache' } }],
  ['--reset-kv-cache-path /flush', { resetCache: { ...HOOK, path: '/flush' } }],
  [
    '--server-profiler-timeout-seconds 9',
    {
      profiler: {
        start: { path: '/start_profile', timeoutS: 9 },
        stop: { path: '/stop_profile', timeoutS: 9 },
      },
    },
  ],
])('reads the preparation of servers from %j', (line, expected) => {
  expect(read(line)).toEqual(expected);
});

test.each([
  ['--wait-for-model-mode models', '--wait-for-model-mode requires --wait-for-model-timeout'],
  ['--wait-for-model-interval 2', '--wait-for-model-interval requires --wait-for-model-timeout'],
  ['--wait-for-model-timeout x', 'invalid --wait-for-model-timeout "x"'],
  [
    '--reset-kv-cache-path flush',
    'invalid --reset-kv-cache-path "flush": expected a path that starts with /',
  ],
  ['--server-profiler-stop-path http://a/stop', 'invalid --server-profiler-stop-path "http://a/stop"'],
])('rejects %s', (line, message) => {
  expect(() => read(line)).toThrow(UsageError);
  expect(() => read(line)).toThrow(message);
});
