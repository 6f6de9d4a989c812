import { formatDuration, formatPercent } from '@org/core';
import type { ClientState, LiveState } from '@org/live';
import { countColumns, renderBar, truncateEnd } from '@org/terminal/layout';
import type { Canvas } from './canvas.ts';

const BAR_COLUMNS = 20;

/** Renders the stage of the run with its progress, and the counts of requests or endpoints. */
export function renderHeader(
  { stage, client, endpoints }: LiveState,
  title: string,
  { columns, paint }: Canvas,
): string[] {
  const { name, seconds, fraction, remainingSeconds } = stage;
  const parts = [
    `${name} ${formatDuration(Math.round(seconds))}`,
    ...(fraction === undefined ? [] : [`${renderBar(fraction, BAR_COLUMNS)} ${Math.floor(100 * fraction)}%`]),
    ...(remainingSeconds === undefined ? [] : [`${formatDuration(remainingSeconds)} left`]),
  ];
  const progress = truncateEnd(parts.join('  '), columns);
  const room = columns - countColumns(progress) - 2;
  const label = room > 0 ? `  ${truncateEnd(title, room)}` : '';
  const current = endpoints.filter(({ isCurrent }) => isCurrent).length;
  const up = `${current}/${endpoints.length} endpoints up`;
  const counts = client ? [...listCounts(client), up] : [up];
  const line = truncateEnd(counts.join('  '), columns);
  const hasProblem = (client?.failed ?? 0) > 0 || current < endpoints.length;
  return [`${paint.bold(progress)}${paint.dim(label)}`, hasProblem ? paint.red(line) : line];
}

function listCounts({ planned, succeeded, failed, cancelled, inFlight, goodShare }: ClientState): string[] {
  const ended = succeeded + failed + cancelled;
  return [
    planned === undefined ? `${ended} requests` : `${ended}/${planned} requests`,
    `${failed} failed`,
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
    `${inFlight.now ?? '-'} in flight`,
    ...(goodShare === undefined ? [] : [`${formatPercent(goodShare)} meet the SLO`]),
  ];
}
