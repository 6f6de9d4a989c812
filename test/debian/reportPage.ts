import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { runServelens } from '../servelens.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Slice {
  start_ns: number;
  end_ns: number;
}

interface Series {
  endpoint_url: string;
  timeslices?: Slice[];
}

interface Document {
  readonly summary: { endpoints_configured: string[]; endpoints_successful: string[]; endpoint_info: object };
  readonly metrics: Record<string, { series: Series[] }>;
}

/** Copies each series of a run to sixty endpoints and repeats its slices for an hour. */
export function buildHourOfSixtyEndpoints(file: string): Document {
  const document = JSON.parse(readFileSync(file, 'utf8')) as Document;
  const urls = Array.from({ length: 60 }, (_, i) => `http://node-${String(i).padStart(2, '0')}:8000/metrics`);
  const [info] = Object.values(document.summary.endpoint_info);
  document.summary.endpoints_configured = urls;
  document.summary.endpoints_successful = urls;
  document.summary.endpoint_info = Object.fromEntries(urls.map(url => [url, info]));
  for (const metric of Object.values(document.metrics))
    metric.series = metric.series.flatMap(series =>
      urls.map(endpoint_url => ({
        ...series,
        endpoint_url,
        ...(series.timeslices && { timeslices: repeatForAnHour(series.timeslices) }),
      })),
    );
  return document;
}

/** Returns 180 slices of 20 s, which repeat the statistics of the given slices. */
function repeatForAnHour(slices: readonly Slice[]): Slice[] {
  const start = slices[0]!.start_ns;
  return Array.from({ length: 180 }, (_, i) => ({
    ...slices[i % slices.length]!,
    start_ns: start + i * 20e9,
    end_ns: start + (i + 1) * 20e9,
  }));
}

/**
 * Writes the report of a run into the folder of the run. Checks that it is smaller than 5 MB, and returns its
 * path.
 */
export async function createReport(name: string, run: string, ...options: string[]): Promise<string> {
  const folder = statSync(run).isDirectory() ? run : join(run, '..');
  const file = join(folder, name);
  const { code, stderr } = await runServelens(['read', 'report', run, '--output', file, ...options]);
  expect([code, stderr]).toEqual([0, '']);
  expect(statSync(file).size).toBeLessThan(5e6);
  return file;
}

/** Opens a report and waits for its last table. */
export async function openPage(page: Page, file: string): Promise<void> {
  await page.goto(pathToFileURL(file).href);
  await page.locator('#series').waitFor({ state: 'attached' });
}

/** Unfolds a table of the page. */
export async function unfold(page: Page, id: string): Promise<void> {
  const details = page.locator(`#${id}`);
  if ((await details.getAttribute('open')) === null) await details.locator('> summary').click();
}

/** Returns the distinct time ranges of the time charts, as `FROM TO` in seconds. */
export async function readRanges(page: Page): Promise<Set<string>> {
  const ranges = await page
    .locator('figure.time .chart')
    .evaluateAll(boxes =>
      boxes.map(box => (box as unknown as { dataset: { range?: string } }).dataset.range ?? 'none'),
    );
  expect(ranges.length).toBeGreaterThan(4);
  return new Set(ranges);
}

/** Returns the time at the start of a cursor reading, in seconds. */
export function parseSeconds(reading: string): number {
  const [, sign, minutes = '0', seconds] = /^(-?)(?:(\d+):)?([\d.]+)/.exec(reading)!;
  return (sign === '-' ? -1 : 1) * (60 * Number(minutes) + Number(seconds));
}

/** Returns the length of a time range of `readRanges`, in seconds. */
export function getRangeLength(range: string): number {
  const [from, to] = range.split(' ').map(Number);
  return to! - from!;
}

/** Returns the cells of a metric's first series, by column title. */
export async function readCells(page: Page, metric: string): Promise<Record<string, string>> {
  await unfold(page, 'series');
  const table = page.locator('#series-table');
  await table.getByRole('searchbox').fill(metric);
  const titles = await table.locator('thead th').allTextContents();
  const row = table
    .locator('tbody tr')
    .filter({ has: page.getByRole('cell', { name: metric, exact: true }) });
  const texts = await row.first().locator('td').allTextContents();
  await table.getByRole('searchbox').fill('');
  return Object.fromEntries(titles.map((head, i) => [head, texts[i]!]));
}

/** Returns the serious accessibility issues of a page according to axe. */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const result = (await page.evaluate('axe.run()')) as {
    readonly violations: readonly {
      readonly id: string;
      readonly impact: string;
      readonly nodes: readonly { readonly html: string }[];
    }[];
  };
  return result.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`);
}
