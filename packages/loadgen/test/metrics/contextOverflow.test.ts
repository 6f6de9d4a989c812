import { expect, test } from 'vitest';
import { createFailure } from '../../src/failure.ts';
import { isContextOverflow } from '../../src/metrics/contextOverflow.ts';

test.each([
  ["This model's maximum context length is 4096 tokens.", true],
  ['context_length_exceeded', true],
  ['The prompt is too long: 9000 > 8192', true],
  ['Maximum Context exceeded', true],
  ['engine out of memory', false],
  ['', false],
])('%j is an overflow of the context: %s', (message, expected) => {
  expect(isContextOverflow(createFailure('HttpError', message, 400))).toBe(expected);
});
