import { PlanError } from '@org/run';
import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import { withOptionNames } from '../../src/options/planErrors.ts';

const rejectWith = (error: Error) => async (): Promise<never> => {
  throw error;
};

test('names the option instead of the field', async () => {
  const call = withOptionNames(rejectWith(new PlanError('inputs.file', 'no such file', 'a.jsonl')));
  await expect(call).rejects.toThrow(UsageError);
  await expect(call).rejects.toThrow('invalid --input-file "a.jsonl": no such file');
});

test('names no option for a problem that several options may have caused', async () => {
  await expect(withOptionNames(rejectWith(new PlanError('inputs', 'no prompts')))).rejects.toThrow(
    new UsageError('cannot create the inputs: no prompts'),
  );
});

test('does not change other errors and results', async () => {
  const error = new TypeError('BUG');
  await expect(withOptionNames(rejectWith(error))).rejects.toBe(error);
  expect(await withOptionNames(async () => 5)).toBe(5);
});
