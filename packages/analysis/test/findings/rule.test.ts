import { expect, expectTypeOf, test } from 'vitest';
import { createRunRule, createServerRule } from '../../src/findings/rule.ts';

const text = {
  id: 'a',
  severity: 'note',
  title: 'a',
  advice: 'a',
  thresholds: { limit: { value: 1, meaning: 'maximum' } },
} as const;

test('passes a rule only its own thresholds', () => {
  const server = createServerRule(text, (_, limits) => {
    expectTypeOf(limits).toEqualTypeOf<Readonly<Record<'limit', number>>>();
    return { text: `${limits.limit}`, numbers: {}, magnitude: 0 };
  });
  const run = createRunRule(text, (_, limits) => [{ text: `${limits.limit}`, numbers: {}, magnitude: 0 }]);
  expect(server).toMatchObject({ about: 'server', ...text });
  expect(run).toMatchObject({ about: 'run', ...text });
  expect(server.find({} as never, { limit: 3 })).toMatchObject({ text: '3' });
  expect(run.find({} as never, { limit: 4 })).toMatchObject([{ text: '4' }]);
});
