import { CLIENT_ENDPOINT } from '@org/analysis';
import { buildLadders, type Ladder, type LadderLine } from '../../model/distributions.ts';
import { MAX_OVERLAID, type Side } from './sides.ts';

/** Builds the percentiles of each latency for all benchmarks; beyond four, for each of them with the baseline. */
export function buildComparedLadders(sides: readonly Side[]): Ladder[] {
  const [base, ...others] = sides as [Side, ...Side[]];
  const groups = sides.length <= MAX_OVERLAID ? [sides] : others.map(other => [base, other]);
  return groups.flatMap((group, i) => joinLadders(group, groups.length > 1 ? `-${i + 1}` : ''));
}

function joinLadders(sides: readonly Side[], suffix: string): Ladder[] {
  const ladders = sides.map(({ runs }) => runs.map(buildLadders));
  const ids = [...new Set(ladders.flat(2).map(({ id }) => id))];
  return ids.flatMap(id => {
    const found = ladders.map(runs => runs.flatMap(each => each.find(ladder => ladder.id === id) ?? []));
    const hasClient = found.every(each => each.some(({ lines }) => lines.some(isClient)));
    const lines = found.flatMap((each, i) =>
      each.flatMap((ladder, run) => pickLine(ladder, hasClient, sides[i]!, i === 0, run)),
    );
    const [first] = found.flat();
    if (!first || new Set(lines.map(({ color }) => color)).size < 2) return [];
    const measured = hasClient ? 'client' : 'estimated by servers';
    const title = `${first.title.replace(/, ms$/, '')}, ${measured}, ms`;
    return [{ id: `${id}${suffix}`, title, percents: first.percents, lines }];
  });
}

function isClient({ name }: LadderLine): boolean {
  return name === CLIENT_ENDPOINT;
}

/** Returns the line of a run in the color of its benchmark: the client's line or, with one series, the servers' line. */
function pickLine(
  { lines }: Ladder,
  hasClient: boolean,
  { name, color, runs }: Side,
  isBase: boolean,
  run: number,
): LadderLine[] {
  const found = lines.filter(line => isClient(line) === hasClient);
  if (found.length !== 1) return [];
  return [
    {
      ...found[0]!,
      name: runs.length > 1 ? `${name}, run ${run + 1}` : name,
      color,
      ...(isBase && { isDashed: true }),
    },
  ];
}
