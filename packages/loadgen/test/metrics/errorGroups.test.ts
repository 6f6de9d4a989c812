import { expect, test } from 'vitest';
import { ErrorGroups } from '../../src/metrics/errorGroups.ts';

test('groups failures by type, code and message, ignoring numbers and IDs in messages', () => {
  const errors = new ErrorGroups();
  for (let n = 0; n < 3; n++)
    errors.add({ type: 'HttpError', code: 429, message: `retry after ${n} s (id ${n}bcdef0${n}12)` });
  errors.add({ type: 'HttpError', code: 500, message: 'boom' });
  errors.add({ type: 'ConnectionReset', message: 'boom' });
  expect(errors.toList().map(({ failure, count }) => [failure.type, failure.code, count])).toEqual([
    ['HttpError', 429, 3],
    ['HttpError', 500, 1],
    ['ConnectionReset', undefined, 1],
  ]);
});

test('limits the number of groups if every message is different', () => {
  const errors = new ErrorGroups();
  const toWord = (n: number): string => [...String(n)].map(digit => 'abcdefghij'[Number(digit)]).join('');
  for (let n = 0; n < 1000; n++) errors.add({ type: 'HttpError', code: 500, message: toWord(n) });
  const groups = errors.toList();
  expect(groups.length).toBeLessThanOrEqual(101);
  expect(groups[0]).toEqual({
    failure: { type: 'HttpError', code: 500, message: '(other messages)' },
    count: 900,
  });
});
