import { findKeyMetrics } from '@org/analysis';
import { describe, expect, test } from 'vitest';
import { createScreen } from '../../src/screen.ts';
import { countRowLines, renderMetricTable } from '../../src/summary/metricTable.ts';
import { CLUSTER } from '../support/summarizedRuns.ts';

const [{ metrics } = { metrics: [] }] = findKeyMetrics(CLUSTER);

function render(width: number, maxMetrics?: number): string[] {
  return renderMetricTable('vLLM', metrics, maxMetrics, createScreen({ width, color: false }));
}

test('renders the total and four series of each metric, and counts the other series', () => {
  const lines = render(100);
  expect(lines.slice(1, 7).map(line => line.trim().split(/ {2,}/)[0])).toEqual([
    'num_requests_running total',
    'node0:8000',
    'node1:8000',
    'node2:8000',
    'node3:8000',
    'and 8 more',
  ]);
});

test.each([60, 80, 100])('in %d columns, shows whole names, and counts their lines', width => {
  const lines = render(width, 8);
  expect(lines.join('\n')).not.toContain('…');
  expect(lines.join('\n')).toContain('e2e_request_latency_seconds ×12');
  const heights = countRowLines(metrics, width);
  expect(lines).toHaveLength(1 + heights.reduce((sum, height) => sum + height, 0));
});

test('renders one row for each of the first metrics if they are limited', () => {
  const lines = render(100, 3);
  expect(lines).toHaveLength(5);
  expect(lines[1]).toMatch(/^ num_requests_running ×12 +240 /);
  expect(lines[4]).toBe(' and 5 more metrics');
});

test('shows sparklines in 80 columns', () => {
  expect(render(80, 8).find(line => line.includes('generation_tokens'))).toMatch(/[▁▂▃▄▅▆▇█]{8}$/);
});

describe('narrow tables', () => {
  test.each([
    [69, ['avg', 'p99', 'max', 'total', 'per s']],
    [60, ['avg', 'p99', 'total', 'per s']],
    [51, ['avg', 'p99', 'total']],
  ])('of %d columns show %j', (width, expected) => {
    expect(render(width)[0]!.trim().split(/ {2,}/).slice(1)).toEqual(expected);
  });
});
