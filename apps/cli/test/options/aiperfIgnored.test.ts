import { parseCommandLine } from '@org/terminal/parse';
import { expect, test } from 'vitest';
import { profileCommand } from '../../src/commands/profile.ts';
import { describeIgnoredOptions } from '../../src/options/aiperf/ignored.ts';

const describe = (...words: string[]) =>
  describeIgnoredOptions(parseCommandLine(profileCommand, ['-m', 'm', ...words], 'servelens profile'));

test('names the options of AIPerf that have no effect in one line', () => {
  expect(describe()).toBeUndefined();
  expect(describe('--log-level', 'INFO')).toBe('--log-level is an option of AIPerf and has no effect here');
  expect(describe('--no-sweep-table', '--zmq-host', '1.2.3.4', '--record-processors', '4')).toBe(
    '--record-processor-service-count, --no-sweep-table, --zmq-host are options of AIPerf and have no effect here',
  );
});
