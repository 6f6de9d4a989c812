import { RunInputError } from '@org/record';
import { expect, test } from 'vitest';
import { formatPlanError, PlanError } from '../../src/plan/planError.ts';

test.each<[string, string, unknown, string]>([
  [
    'targets',
    'expected at least one endpoint to scrape',
    undefined,
    'targets: expected at least one endpoint to scrape',
  ],
  ['--workers', 'expected at least 1', 0, 'invalid --workers 0: expected at least 1'],
  ['--input-file', 'no such file', 'a.jsonl', 'invalid --input-file "a.jsonl": no such file'],
])('formats a problem with %s', (name, reason, value, message) => {
  expect(formatPlanError(name, reason, value)).toBe(message);
});

test('contains the field, the value and the reason, so that callers can report them with the name of an option', () => {
  const error = new PlanError('inputs.file', 'no such file', 'a.jsonl');
  expect(error).toBeInstanceOf(RunInputError);
  expect(error).toMatchObject({
    field: 'inputs.file',
    value: 'a.jsonl',
    reason: 'no such file',
    message: 'invalid inputs.file "a.jsonl": no such file',
  });
});
