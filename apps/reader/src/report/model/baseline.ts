import { type Comparison, type ComparisonRow, type Run, selectRoleSeries } from '@org/analysis';
import type { MetricRole } from '@org/servers';
import { formatChange, formatNoise } from '../../compare/comparisonText.ts';
import { EFFECT_STYLES } from '../../svg/forest.ts';
import type { Tile } from './tile.ts';

/** The metrics behind a tile: the client's or, without client data, those with a role. */
const TILE_METRICS: Readonly<Record<string, { readonly metric?: string; readonly role?: MetricRole }>> = {
  requests: { metric: 'request_throughput', role: 'completedRequests' },
  output: { metric: 'output_token_throughput', role: 'outputTokens' },
  ttft: { metric: 'time_to_first_token', role: 'timeToFirstToken' },
  itl: { metric: 'inter_token_latency', role: 'interTokenLatency' },
  latency: { metric: 'request_latency', role: 'requestLatency' },
  queue: { role: 'waiting' },
  'kv-cache': { role: 'kvCacheUsage' },
};

/** Tiles whose figure is a rate, which is the figure that is compared. The others show a percentile or a maximum. */
const RATES: ReadonlySet<string> = new Set(['requests', 'output']);

/** Adds the figure of the baseline to each tile, and the change as far as the comparison supports it. */
export function addBaselineToTiles(
  tiles: readonly Tile[],
  baseTiles: readonly Tile[],
  comparison: Comparison,
): Tile[] {
  return tiles.map(tile => {
    const base = baseTiles.find(
      ({ id, side, label }) => id === tile.id && side === tile.side && label === tile.label,
    );
    if (!base) return tile;
    const change = describeChange(tile, comparison);
    return { ...tile, was: `was ${base.value}`, ...(change !== undefined && { change }) };
  });
}

/** Describes the change of the metric of a tile; undefined if no single row of the comparison is about it. */
function describeChange({ id, side }: Tile, { rows, new: runs }: Comparison): string | undefined {
  const names = listNames(id, side, runs[0]!);
  const found = rows.filter(
    ({ name, stat, type }) =>
      names.includes(name) &&
      (stat === 'avg' || stat === 'rate') &&
      (type === 'client') === (side === 'client'),
  );
  return found.length === 1 ? formatTileChange(found[0]!, RATES.has(id)) : undefined;
}

function listNames(id: string, side: Tile['side'], run: Run): readonly string[] {
  const { metric, role } = TILE_METRICS[id] ?? {};
  if (side === 'client') return metric === undefined ? [] : [metric];
  return role === undefined ? [] : selectRoleSeries(run, role).map(({ series }) => series.name);
}

function formatTileChange(row: ComparisonRow, isRate: boolean): string {
  const subject = isRate ? '' : 'mean ';
  if (row.verdict === 'untested') return `${subject}change not tested`;
  if (row.verdict === 'no evidence') return 'no evidence of a change';
  const noise = formatNoise(row);
  return `${EFFECT_STYLES[row.verdict].symbol} ${subject}${formatChange(row)}${noise && ` ${noise}`}`;
}
