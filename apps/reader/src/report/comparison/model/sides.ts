import { sep } from 'node:path';
import type { Run } from '@org/analysis';
import type { ColorName } from '../../../svg/palette.ts';

/** A benchmark of a comparison: a run, or repeated runs. */
export interface Side {
  readonly name: string;
  readonly color: ColorName;
  readonly runs: readonly Run[];
}

/** The colors of the benchmarks that share a chart. The baseline is grey. */
const COLORS: readonly ColorName[] = ['client', 'server', 'second'];
/** The maximum number of benchmarks in one chart. More lines would be indistinguishable. */
export const MAX_OVERLAID: number = 1 + COLORS.length;

/** Names and colors the benchmarks of a comparison, the baseline first. */
export function createSides(groups: readonly (readonly Run[])[]): Side[] {
  const names = shortenNames(groups.map(runs => runs[0]!.name));
  const isOverlaid = groups.length <= MAX_OVERLAID;
  return groups.map((runs, i) => ({
    name: names[i]!,
    color: i === 0 ? 'grey' : isOverlaid ? COLORS[i - 1]! : COLORS[0]!,
    runs,
  }));
}

/** Leaves out the folders that all paths have in common. Names that remain equal get numbers. */
export function shortenNames(paths: readonly string[]): string[] {
  const parts = paths.map(path => path.split(sep).filter(part => part !== '' && part !== '.'));
  const shortest = Math.min(...parts.map(({ length }) => length));
  let common = 0;
  while (common < shortest - 1 && parts.every(each => each[common] === parts[0]![common])) common++;
  const names = parts.map((each, i) => each.slice(common).join(sep) || paths[i]!);
  return names.map((name, i) => {
    const before = names.slice(0, i).filter(other => other === name).length;
    return names.filter(other => other === name).length > 1 ? `${name} (${before + 1})` : name;
  });
}
