import { formatValue } from '@org/core';
import type { Reconciliation } from '@org/formats';
import colors from 'picocolors';
import { ROWS } from '../screen.ts';
import { bullet, NAME, type ScreenLook, share, whole } from '../screentext.ts';

const CELL = 12;

const NAMES: Readonly<Record<string, string>> = Object.fromEntries(ROWS);

/** Client against servers: counts, then latencies, then what does not agree. */
export function reconciliationLines(found: Reconciliation, look: ScreenLook): string[] {
  const paint = colors.createColors(look.color);
  const head = (title: string, names: readonly string[]): string =>
    paint.bold(` ${title.padEnd(NAME - 1)}`) + paint.dim(names.map(name => name.padStart(CELL)).join(''));
  const times = [...latencyLines(found), ...queueLines(found)];
  return [
    head('Client and server', ['client', found.server, 'difference']),
    ...countLines(found),
    ...(times.length > 0 ? [head('On average', ['client', found.server, 'outside', 'of client'])] : []),
    ...times,
    ...(found.findings.length === 0
      ? bullet(agreed(found), look, '✓')
      : found.findings.flatMap(({ message }) => bullet(message, look))),
  ].map(line => line.trimEnd());
}

function countLines({ requests, prompt_tokens, generation_tokens }: Reconciliation): string[] {
  const counts = [
    ['Requests', requests],
    ['Prompt tokens', prompt_tokens],
    ['Generation tokens', generation_tokens],
  ] as const;
  return counts.flatMap(([name, count]) =>
    count ? [row(name, [whole(count.client), whole(count.server), signed(count.difference)])] : [],
  );
}

function latencyLines({ latencies }: Reconciliation): string[] {
  return latencies.map(one =>
    row(NAMES[one.metric] ?? one.metric, [
      formatValue(one.client_avg_ms, 'ms'),
      formatValue(one.server_avg_ms, 'ms'),
      formatValue(one.outside_avg_ms, 'ms'),
      share(one.outside_share),
    ]),
  );
}

function queueLines({ queue }: Reconciliation): string[] {
  return queue ? [row('In its queue', ['', formatValue(queue.avg_ms, 'ms'), '', share(queue.share)])] : [];
}

function agreed({ server, requests, prompt_tokens, generation_tokens }: Reconciliation): string {
  if (!requests) return 'nothing speaks against each other';
  const counted = `${server} counted the answers that the client has, and no others`;
  const tokens = (prompt_tokens?.difference ?? 0) > 0 || (generation_tokens?.difference ?? 0) > 0;
  return tokens && requests.client_failed > 0
    ? `${counted}; requests that failed have their part in its tokens`
    : counted;
}

function row(name: string, values: readonly string[]): string {
  return ` ${name.padEnd(NAME - 1)}${values.map(value => value.padStart(CELL)).join('')}`;
}

function signed(value: number): string {
  return value === 0 ? '0' : `${value > 0 ? '+' : '-'}${whole(Math.abs(value))}`;
}
