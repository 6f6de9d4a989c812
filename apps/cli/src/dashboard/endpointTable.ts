import { formatRoundedDuration } from '@org/core';
import type { EndpointState } from '@org/live';
import { padEnd, padStart, truncateEnd, truncateMiddle } from '@org/terminal/layout';
import type { Canvas } from './canvas.ts';
import { formatKnown, UNKNOWN } from './row.ts';

const NUMBER_COLUMNS = 10;
const COLUMN_TITLES = ['requests/s', 'running', 'waiting', 'KV cache', 'scraped'] as const;

/** Renders the endpoints, one per line, in at most `height` lines. Endpoints that do not respond come first. */
export function renderEndpoints(
  endpoints: readonly EndpointState[],
  height: number,
  canvas: Canvas,
): string[] {
  if (height < 2 || endpoints.length === 0) return [];
  const { columns, paint } = canvas;
  const nameColumns = columns - NUMBER_COLUMNS * COLUMN_TITLES.length;
  const ordered = [...endpoints].sort((a, b) => Number(a.isCurrent) - Number(b.isCurrent));
  const room = height - 1;
  const shown = ordered.length > room ? ordered.slice(0, room - 1) : ordered;
  const titles = COLUMN_TITLES.map(title => padStart(title, NUMBER_COLUMNS)).join('');
  const hidden = ordered.length - shown.length;
  return [
    paint.bold(padEnd('ENDPOINTS', nameColumns) + titles),
    ...shown.map(endpoint => renderEndpoint(endpoint, nameColumns, paint)),
    ...(hidden > 0 ? [paint.dim(truncateEnd(`and ${hidden} more endpoints`, columns))] : []),
  ];
}

function renderEndpoint(endpoint: EndpointState, nameColumns: number, paint: Canvas['paint']): string {
  const { host, servers, isCurrent, ageSeconds, requests, running, waiting, kvCache } = endpoint;
  const name = `${isCurrent ? '' : '✗ '}${host}${servers.length > 0 ? ` ${servers.join(', ')}` : ''}`;
  const values = [
    formatKnown(requests, null),
    formatKnown(running, null),
    formatKnown(waiting, null),
    formatKnown(kvCache, '%'),
    ageSeconds === undefined ? UNKNOWN : `${formatRoundedDuration(ageSeconds)}`,
  ];
  const cells = values.map(text => padStart(text, NUMBER_COLUMNS)).join('');
  const line = padEnd(truncateMiddle(name, nameColumns - 1), nameColumns) + cells;
  return isCurrent ? line : paint.red(line);
}
