import { expect, test } from 'vitest';
import { parseMetricsTarget, type Target } from '../../src/endpoint/target.ts';
import { identifyTarget, TargetRoster } from '../../src/endpoint/targetRoster.ts';

const createTarget = (host: string, identity?: string, labels?: Record<string, string>): Target => ({
  ...parseMetricsTarget(host),
  ...(identity === undefined ? {} : { identity }),
  ...(labels ? { labels } : {}),
});

const [A, B] = [createTarget('a:1'), createTarget('b:1')];

test('joins the targets of all sources, and keeps the targets of other sources', () => {
  const roster = new TargetRoster([], 2);
  roster.update(0, [A]);
  expect([...roster.update(1, [A, B]).values()]).toEqual([A, B]);
  expect([...roster.update(0, []).values()]).toEqual([A, B]);
  expect([...roster.update(1, []).values()]).toEqual([]);
});

test('excludes the URLs of the plan, which take the labels of the source', () => {
  const fixed = createTarget('a:1', undefined, { node: 'mine' });
  const roster = new TargetRoster([fixed], 1);
  expect(roster.update(0, [createTarget('a:1', 'u1', { pod: 'p', node: 'n1' })]).size).toBe(0);
  expect(roster.joinLabels(fixed)).toEqual({ pod: 'p', node: 'mine' });
});

test.each<[string, Target[][], string]>([
  ['the first target', [[createTarget('a:1', 'u1'), createTarget('a:1', 'u2')]], 'u1'],
  ['a target with an identity', [[createTarget('a:1'), createTarget('a:1', 'u2')]], 'u2'],
  [
    'the target that was listed before',
    [[createTarget('a:1', 'u2')], [createTarget('a:1', 'u1'), createTarget('a:1', 'u2')]],
    'u2',
  ],
  [
    'the other target after the one that was listed before has disappeared',
    [
      [createTarget('a:1', 'u2')],
      [createTarget('a:1', 'u1'), createTarget('a:1', 'u2')],
      [createTarget('a:1', 'u1')],
    ],
    'u1',
  ],
])('of several targets with the same URL, selects %s', (_, lists, identity) => {
  const roster = new TargetRoster([], 1);
  const results = lists.map(list => [...roster.update(0, list).values()]);
  expect(results.at(-1)!.map(target => target.identity)).toEqual([identity]);
});

test('identifies targets by URL and identity', () => {
  expect(new Set([A, B, createTarget('a:1', 'u1'), createTarget('a:1', 'u2')].map(identifyTarget)).size).toBe(
    4,
  );
});
