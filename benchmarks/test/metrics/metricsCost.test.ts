import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { measureMetrics } from '../../src/metrics/metricsCost.ts';
import { createRequests, readRequests, writeRequests } from '../../src/metrics/requestColumns.ts';

test('requests are the same in each run, and after they are read from files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'request-columns-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const columns = createRequests({ requests: 100, gaps: 3 });
  writeRequests(folder, columns);
  expect(readRequests(folder)).toEqual(columns);
  expect(createRequests({ requests: 100, gaps: 3 })).toEqual(columns);
  expect(columns.gaps).toHaveLength(300);
});

test.each([0, 4])('computes all metrics over time of requests with %i gaps', gaps => {
  const columns = createRequests({ requests: 500, gaps });
  const { averages, cpuS } = measureMetrics(columns);
  expect(Object.keys(averages)).toHaveLength(14);
  const busyNs = columns.ends.reduce((sum, endNs, request) => sum + endNs - columns.starts[request]!, 0);
  expect(averages.effective_concurrency).toBeCloseTo(busyNs / Math.max(...columns.ends), 9);
  expect(cpuS).toBeGreaterThan(0);
});
