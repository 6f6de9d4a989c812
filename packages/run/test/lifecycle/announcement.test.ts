import type { Endpoint, EndpointEvent } from '@org/scrape';
import { expect, test } from 'vitest';
import { tellEvent, tellReached } from '../../src/lifecycle/announcement.ts';
import type { Log } from '../../src/lifecycle/log.ts';

function said(tell: (log: Log) => void): string[] {
  const lines: string[] = [];
  const say =
    (level: string) =>
    (message: string): void =>
      void lines.push(`${level}: ${message}`);
  tell({ info: say('info'), warning: say('warning'), error: say('error') });
  return lines;
}

test.each<[EndpointEvent['kind'], string]>([
  ['swapped', 'info'],
  ['duplicate', 'info'],
  ['back', 'info'],
  ['left_out', 'info'],
  ['lost', 'warning'],
  ['disabled', 'warning'],
  ['flapping', 'warning'],
  ['reset', 'warning'],
  ['slow', 'warning'],
])('that an endpoint is %s is told as %s', (kind, level) => {
  expect(said(log => tellEvent(log, { kind, url: 'u', message: 'm' }))).toEqual([`${level}: m`]);
});

test('who could be reached, and why another could not', () => {
  const endpoints = [
    { url: 'http://a:1/metrics', health: { status: 'active' } },
    { url: 'http://b:1/metrics', health: { status: 'no_data', lastOutage: { message: 'timed out' } } },
    { url: 'http://c:1/metrics', health: { status: 'disabled', lastOutage: { message: 'is told already' } } },
  ] as unknown as Endpoint[];
  expect(said(log => tellReached(log, endpoints))).toEqual([
    'info: Server metrics enabled - 1/3 endpoint(s) reachable',
    "warning: endpoint 'http://b:1/metrics' timed out; retrying during the run",
  ]);
});
