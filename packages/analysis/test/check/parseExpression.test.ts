import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExpressionError } from '../../src/check/expression.ts';
import { parseExpression } from '../../src/check/parseExpression.ts';

test.each([
  'vllm:e2e_request_latency_seconds{model_name="x"}.p99_estimate < 5',
  'increase(vllm:num_preemptions) == 0',
  'present(vllm:generation_tokens)',
  'endpoints.successful == endpoints.configured',
  'a.avg < baseline * 1.05',
  'baseline * 0.95 <= a.avg',
  'a.avg < baseline(b.avg) + 3',
  'not (a.avg > 5 or b.p99 > 200ms) and absent(c{x!~"y|z"})',
  'sum(a{x=~"1.*",}.total) / sum(b.total) > 90%',
  'max(increase(a)) - -3 >= .5e3',
  '"odd name".avg == 1',
  "a{'odd label'='it\\'s'}.avg == 1",
  'baseline(a.avg) < baseline',
  'order.avg > 1 and notable.max < 2 and baselines.avg == 3',
])('parses %s', text => {
  expect(parseExpression(text)).toHaveProperty('kind');
});

test.each<[string, number, RegExp]>([
  ['a.avg << 5', 7, /expected .*a metric or a number, but found "<"/],
  ['a.avg < ', 8, /a number, but found the end of the rule/],
  ['', 0, /but found the end of the rule/],
  ['a{x=1}.avg < 5', 4, /expected a quoted string, but found "1"/],
  ['max(a.avg < 5', 13, /"\)".* but found the end of the rule/],
  ['a.avg < 5sec', 9, /a unit such as ms, s, MiB or %/],
  ['a.avg < 5 5', 10, /the end/],
  ['a.avg < 5 and', 13, /a metric.* but found the end of the rule/],
])('rejects %j at offset %i', (text, offset, message) => {
  const error = catchError(text);
  expect(error.message).toMatch(message);
  expect(error.offset).toBe(offset);
});

test.each<[string, number, RegExp]>([
  ['baseline', 0, /baseline without a comparison/],
  ['baseline < baseline', 9, /one side only/],
  ['sum(3) > 1', 4, /sum\(\) takes a metric/],
  ['present(3)', 8, /present\(\) takes a metric/],
  ['increase(a.total) > 0', 9, /without a statistic/],
  ['a.avg and b.avg', 6, /cannot combine numbers/],
  ['(a.avg < 3) + 1 > 2', 12, /cannot calculate with a condition/],
  ['present(a) == 1', 11, /cannot compare a condition/],
  ['a'.repeat(3000), 2000, /longer than 2000/],
])('rejects %s', (text, offset, message) => {
  const error = catchError(text);
  expect(error.message).toMatch(message);
  expect(error.offset).toBe(offset);
});

test('rejects deeply nested brackets', () => {
  expect(catchError(`${'('.repeat(1900)}1`).message).toMatch(/nested too deeply|expected/);
});

test('parses any text, or throws an ExpressionError with an offset in the text', () => {
  const pieces = fc.constantFrom(
    ...[
      'a',
      '.avg',
      '<',
      '5',
      'ms',
      '(',
      ')',
      '{',
      '}',
      '"x"',
      '=',
      ' and ',
      'not ',
      'baseline',
      '-',
      'max(',
      '\u001b',
    ],
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces).map(parts => parts.join('')),
      ),
      text => {
        try {
          expect(parseExpression(text)).toHaveProperty('kind');
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError);
          expect((error as ExpressionError).offset).toBeLessThanOrEqual(text.length);
        }
      },
    ),
  );
});

function catchError(text: string): ExpressionError {
  try {
    parseExpression(text);
  } catch (error) {
    expect(error).toBeInstanceOf(ExpressionError);
    return error as ExpressionError;
  }
  throw new Error(`${text} was parsed without an error`);
}
