import { expect, expectTypeOf, test } from 'vitest';
import { FINDING_RULES } from '../../src/findings/findFindings.ts';
import { createRunRule, createServerRule } from '../../src/findings/rule.ts';

const text = {
  id: 'a',
  severity: 'note',
  title: 'a',
  advice: 'a',
  thresholds: { least: { value: 1, meaning: 'least' } },
} as const;

test('limits a rule to its own thresholds', () => {
  const server = createServerRule(text, (_, at) => {
    expectTypeOf(at).toEqualTypeOf<Readonly<Record<'least', number>>>();
    return { text: `${at.least}`, numbers: {}, magnitude: 0 };
  });
  const run = createRunRule(text, (_, at) => [{ text: `${at.least}`, numbers: {}, magnitude: 0 }]);
  expect(server).toMatchObject({ about: 'server', ...text });
  expect(run).toMatchObject({ about: 'run', ...text });
  expect(server.find({} as never, { least: 3 })).toMatchObject({ text: '3' });
  expect(run.find({} as never, { least: 4 })).toMatchObject([{ text: '4' }]);
});

test('IDs are unique', () => {
  const ids = FINDING_RULES.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
