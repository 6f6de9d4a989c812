import type { Run } from '@org/analysis';
import { type ColorName, REPLICA_COLORS } from '../../svg/palette.ts';

/**
 * Returns the colors of the lines of a chart from their endpoints. A replica has the same color in all charts of the page;
 * with more series or replicas than colors, a line takes the next color that its chart does not contain. A single line
 * has the color of servers, because it is about all of them.
 */
export function pickReplicaColors(
  names: readonly string[],
  { endpoints }: Pick<Run, 'endpoints'>,
): ColorName[] {
  if (names.length < 2) return names.map(() => 'server');
  const taken = new Set<ColorName>();
  return names.map(name => {
    const index = Math.max(
      0,
      endpoints.findIndex(endpoint => endpoint.name === name),
    );
    const candidates = REPLICA_COLORS.map((_, i) => REPLICA_COLORS[(index + i) % REPLICA_COLORS.length]!);
    const color = candidates.find(candidate => !taken.has(candidate)) ?? candidates[0]!;
    taken.add(color);
    return color;
  });
}

/** Returns the color of a replica that has a chart of its own. */
export function pickReplicaColor(name: string, { endpoints }: Pick<Run, 'endpoints'>): ColorName {
  const index = endpoints.findIndex(endpoint => endpoint.name === name);
  return REPLICA_COLORS[Math.max(0, index) % REPLICA_COLORS.length]!;
}
