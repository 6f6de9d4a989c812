import { expect, test } from 'vitest';
import { ErrorGroups } from '../../src/metrics/errorGroups.ts';

test('grouped by type, code and message; numbers and ids make no other message', () => {
  const errors = new ErrorGroups();
  for (let n = 0; n < 3; n++)
    errors.add({ type: 'HttpError', code: 429, message: `retry after ${n} s (id ${n}bcdef0${n}12)` });
  errors.add({ type: 'HttpError', code: 500, message: 'boom' });
  errors.add({ type: 'ConnectionReset', code: 'ECONNRESET', message: 'boom' });
  expect(errors.groups().map(({ failure, count }) => [failure.type, failure.code, count])).toEqual([
    ['HttpError', 429, 3],
    ['HttpError', 500, 1],
    ['ConnectionReset', 'ECONNRESET', 1],
  ]);
});

test('a server that says something else every time fills no memory', () => {
  const errors = new ErrorGroups();
  const word = (n: number): string => [...String(n)].map(digit => 'abcdefghij'[Number(digit)]).join('');
  for (let n = 0; n < 1000; n++) errors.add({ type: 'HttpError', code: 500, message: word(n) });
  const groups = errors.groups();
  expect(groups.length).toBeLessThanOrEqual(101);
  expect(groups[0]).toEqual({
    failure: { type: 'HttpError', code: 500, message: 'further messages' },
    count: 900,
  });
});
