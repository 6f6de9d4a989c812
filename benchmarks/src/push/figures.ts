import { computeMedian, round } from '../measure/numbers.ts';
import { PUSH_CASES } from './pushCase.ts';
import type { RunFigures } from './pushedRun.ts';

/** The figures of the runs of a case, in the order of the rounds. */
export type FiguresByCase = ReadonlyMap<string, readonly RunFigures[]>;

/** A printed figure: medians, and the differences to the run without pushes of the same round. */
export interface PrintedFigure {
  readonly figure: string;
  readonly case: string;
  readonly rounds: number;
  readonly median: number;
  readonly none: number;
  readonly difference: number;
  readonly difference_min: number;
  readonly difference_max: number;
}

/** Compares each case with the case without pushes, figure by figure. */
export function compareCases(runs: FiguresByCase): PrintedFigure[] {
  const [none, ...others] = PUSH_CASES.map(({ name }) => name);
  const base = runs.get(none!)!;
  const names = Object.keys(base[0]!);
  return names.flatMap(figure => others.map(name => compareFigure(figure, name, runs.get(name)!, base)));
}

function compareFigure(
  figure: string,
  name: string,
  pushed: readonly RunFigures[],
  base: readonly RunFigures[],
): PrintedFigure {
  const differences = pushed.map((run, index) => run[figure]! - base[index]![figure]!);
  const median = (runs: readonly RunFigures[]): number =>
    round(computeMedian(runs.map(run => run[figure]!)), 4);
  return {
    figure,
    case: name,
    rounds: differences.length,
    median: median(pushed),
    none: median(base),
    difference: round(computeMedian(differences), 4),
    difference_min: round(Math.min(...differences), 4),
    difference_max: round(Math.max(...differences), 4),
  };
}
