import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import { withRangeErrors } from '../../src/profile/rangeErrors.ts';

test('withRangeErrors converts only range errors', () => {
  const throwError = (error: Error) => () => {
    throw error;
  };
  expect(() => withRangeErrors('--x: ', throwError(new RangeError('too large')))).toThrow(
    new UsageError('--x: too large'),
  );
  expect(() => withRangeErrors('--x: ', throwError(new TypeError('BUG')))).toThrow(TypeError);
});
