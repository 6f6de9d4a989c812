import { getPriority, setPriority } from 'node:os';
import { expect, test, vi } from 'vitest';
import { lowerPriority } from '../../src/watch/lowPriority.ts';

vi.mock('node:os', () => ({ getPriority: vi.fn(), setPriority: vi.fn() }));

test.each([
  ['a normal priority', 0, [[10]]],
  ['a high priority', -5, [[10]]],
  ['not a priority that is low enough', 10, []],
  ['not a priority that is lower, which few users may raise', 19, []],
])('lowers %s', (_, priority, calls) => {
  vi.mocked(getPriority).mockReturnValue(priority);
  vi.mocked(setPriority).mockClear();
  lowerPriority();
  expect(vi.mocked(setPriority).mock.calls).toEqual(calls);
});
