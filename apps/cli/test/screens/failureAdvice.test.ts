import type { ProfileExport } from '@org/formats';
import { expect, test } from 'vitest';
import { listFailureAdvice } from '../../src/screens/failureAdvice.ts';

const list = (...errors: readonly (readonly [code: number | null, message: string])[]): string[] => {
  const error_summary = errors.map(([code, message]) => ({
    error_details: { code, type: 'HttpError', message },
    count: 1,
  }));
  return listFailureAdvice({ schema_version: '1.3', error_summary } as ProfileExport);
};

test.each([
  [401, 'no valid API key', '--api-key'],
  [403, 'forbidden', '--api-key'],
  [404, 'The model `m` does not exist.', '--model'],
  [404, 'Not Found', '--endpoint-type'],
  [405, 'Method Not Allowed', '--endpoint-type'],
  [
    400,
    "[{'type': 'extra_forbidden', 'loc': ('body', 'max_completion_tokens'), 'msg': 'Extra inputs are not permitted'}]",
    '--use-legacy-max-tokens',
  ],
  [400, "Unsupported parameter: 'max_completion_tokens'", '--use-legacy-max-tokens'],
])('%d %j: names %s', (code, message, option) => {
  const [advice, ...others] = list([code, message]);
  expect(advice).toContain(option);
  expect(others).toEqual([]);
});

test('the same advice is listed once', () => {
  expect(list([401, 'a'], [401, 'b'], [500, 'c'])).toHaveLength(1);
});

test.each([
  [500, 'out of memory'],
  [400, 'max_completion_tokens is larger than the context'],
  [null, 'connection reset'],
])('%s %j has no advice', (code, message) => {
  expect(list([code, message])).toEqual([]);
});
