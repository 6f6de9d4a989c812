import { expect, test } from 'vitest';
import { checkSwitches } from '../src/switches.ts';

const raw = { json: false, j: false, stat: ['p50'] };

test.each([
  ['--json=yes', '--json is "yes"'],
  ['--json=0', '--json is "0"'],
  ['--json=', '--json is ""'],
  ['-aj=on', '-j is "on"'],
])('%s is refused', (word, said) => {
  expect(() => checkSwitches(raw, ['summary', word])).toThrow(
    `${said}; expected true or false, or the option alone`,
  );
});

test.each([['--json'], ['--json=true'], ['--json=false'], ['--stat=yes'], ['--other=yes'], ['json=yes']])(
  '%s passes',
  word => {
    expect(() => checkSwitches(raw, ['summary', word])).not.toThrow();
  },
);
