import { expect, test } from 'vitest';
import { formatCommandLine } from '../src/runContext.ts';

test.each([
  [['collect', '--url', 'localhost:8000'], 'servelens collect --url localhost:8000'],
  [['collect', '--', 'sh', '-c', "echo it's"], `servelens collect -- sh -c 'echo it'\\''s'`],
  [['profile', '--api-key', 'hunter2'], `servelens profile --api-key '<redacted>'`],
])('formats %j', (argv, line) => {
  expect(formatCommandLine(argv)).toBe(line);
});
