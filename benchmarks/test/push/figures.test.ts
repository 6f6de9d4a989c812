import { expect, test } from 'vitest';
import { compareCases } from '../../src/push/figures.ts';
import { orderCases, PUSH_CASES } from '../../src/push/pushCase.ts';

test('compares each case with the runs without pushes of the same rounds', () => {
  const values: Readonly<Record<string, readonly number[]>> = {
    none: [10, 20, 30],
    down: [11, 25, 33],
  };
  const runs = new Map(
    PUSH_CASES.map(({ name }) => [name, (values[name] ?? values.none!).map(cpu_share => ({ cpu_share }))]),
  );
  const figures = compareCases(runs);
  expect(figures.map(figure => figure.case)).toEqual(PUSH_CASES.slice(1).map(({ name }) => name));
  expect(figures.find(figure => figure.case === 'down')).toEqual({
    figure: 'cpu_share',
    case: 'down',
    rounds: 3,
    median: 25,
    none: 20,
    difference: 3,
    difference_min: 1,
    difference_max: 5,
  });
});

test('each round has all cases, and starts with another one', () => {
  const rounds = PUSH_CASES.map((_, round) => orderCases(round).map(({ name }) => name));
  expect(new Set(rounds.map(([first]) => first)).size).toBe(PUSH_CASES.length);
  for (const round of rounds) expect(round.toSorted()).toEqual(rounds[0]!.toSorted());
});
