import { parseCommandLine } from '@org/terminal/parse';
import { expect, test } from 'vitest';
import { profileCommand } from '../../src/commands/profile.ts';
import { describeIgnoredOptions } from '../../src/options/aiperf.ts';

const describe = (...words: string[]) =>
  describeIgnoredOptions(parseCommandLine(profileCommand, ['-m', 'm', ...words], 'servelens profile'));

test('names the options of AIPerf that have no counterpart in one line', () => {
  expect(describe()).toBeUndefined();
  expect(describe('--ui', 'none')).toBe(
    'option of AIPerf that has no counterpart and has no effect: --ui-type',
  );
  expect(describe('--no-sweep-table', '--zmq-host', '1.2.3.4', '--record-processors', '4')).toBe(
    'options of AIPerf that have no counterpart and have no effect: --record-processor-service-count, --no-sweep-table, --zmq-host',
  );
});
