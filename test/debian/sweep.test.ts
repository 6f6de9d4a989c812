import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { ProfileSweep, SweepMetric } from '../../packages/formats/dist/index.js';
import { runServelens } from '../servelens.ts';
import { startService } from '../service.ts';
import { root } from '../source.ts';
import { collectProblems, startChromium } from './chromium.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const CONCURRENCIES = [1, 3, 9];
const RUNS_PER_VARIATION = 3;
/** Script that runs before any script of the page. It records policy violations. */
const RECORD_VIOLATIONS = `
  globalThis.forbidden = [];
  addEventListener('securitypolicyviolation', event => forbidden.push(event.violatedDirective + ' ' + event.blockedURI));
`;
const CHARTS = [
  ...['tradeoff', 'load-throughput', 'load-time-to-first-token', 'load-inter-token-latency'],
  ...['load-request-latency', 'load-good', 'server-requests', 'server-kv-cache', 'interactivity'],
  ...['repeats-request-throughput-avg', 'repeats-time-to-first-token-p99'],
];

describe.skipIf(!inject('runs'))('the page of a sweep in Chromium', () => {
  let folder = '';
  let html = '';
  let sweep: ProfileSweep;
  let browser: Browser;
  let page: Page;
  let problems: readonly string[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sweep-'));
    await runSweep(folder);
    sweep = JSON.parse(
      readFileSync(join(folder, 'aggregate', 'sweep_aggregate', 'profile_export_aiperf_sweep.json'), 'utf8'),
    ) as ProfileSweep;
    html = join(folder, 'report.html');
    const { code, stderr } = await runServelens([
      ...['read', 'report', folder, '--output', html, '--run-pages'],
    ]);
    expect([code, stderr]).toEqual([0, '']);
    expect(statSync(html).size).toBeLessThan(600_000);
    browser = await startChromium();
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    problems = collectProblems(page);
    await page.addInitScript(RECORD_VIOLATIONS);
    await page.goto(pathToFileURL(html).href);
    await page.locator('#choice select').first().waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /** Lists a metric of each variation, in order. */
  const listMetrics = (name: string): SweepMetric[] =>
    sweep.per_combination_metrics.map(({ metrics }) => metrics[name]!);

  const listChartIds = (of: Page): Promise<(string | null)[]> =>
    of.locator('#charts figure').evaluateAll(figures => figures.map(({ id }) => id));

  /** Moves the cursor of a chart to each point, and returns what is announced. */
  async function readByKeyboard(chart: string): Promise<string[]> {
    const box = page.locator(`[data-chart="${chart}"]`);
    await box.focus();
    const texts: string[] = [];
    for (const _ of CONCURRENCIES) {
      await page.keyboard.press('ArrowRight');
      texts.push((await page.locator(`#${chart} .reading`).textContent())!);
    }
    return texts;
  }

  test('says in its first sentence what is known about the best load', async () => {
    const sentence = page.locator('#verdict .sentence');
    expect((await sentence.boundingBox())!.y).toBeLessThan(300);
    expect(await sentence.textContent()).toMatch(
      /Best within TTFT p99 ≤ 60000 ms|Best within TTFT p99 ≤ (?:1 min|60 s)/,
    );
  });

  test('draws all charts, each with a point per variation', async () => {
    expect(await listChartIds(page)).toEqual(expect.arrayContaining(CHARTS));
    const labels = await page.locator('#tradeoff .point-label').allTextContents();
    expect(labels).toEqual(CONCURRENCIES.map(String));
  });

  test('reads the values of the export by keyboard', async () => {
    const texts = await readByKeyboard('load-throughput');
    const means = listMetrics('request_throughput_avg').map(({ mean }) => mean);
    for (const [i, text] of texts.entries()) {
      const [, value] = /req\/s ([\d.]+)/.exec(text)!;
      expect(Math.abs(Number(value) - means[i]!)).toBeLessThan(0.001 * means[i]! + 0.001);
    }
  });

  test('places the points by their means, and the loads by their logarithm', async () => {
    const positions = (await page.locator('#load-throughput .chart path.marker.f-client').getAttribute('d'))!
      .split('M')
      .slice(1)
      .map(move => move.split(/[ a]/).map(Number) as [number, number]);
    const points = positions.slice(-CONCURRENCIES.length);
    const [first, second, third] = points.map(([x]) => x) as [number, number, number];
    expect(Math.abs(second - first - (third - second))).toBeLessThan(0.5);
    const means = listMetrics('request_throughput_avg').map(({ mean }) => mean);
    const rank = (values: readonly number[]): number[] =>
      [...values.keys()].sort((a, b) => values[a]! - values[b]!);
    expect(rank(points.map(([, y]) => -y))).toEqual(rank(means));
  });

  test('draws other metrics and judges another limit if they are selected', async () => {
    await page.getByLabel('Latency', { exact: true }).selectOption('request_latency_p50');
    await page.getByLabel('Throughput', { exact: true }).selectOption('output_token_throughput_avg');
    expect(await page.locator('#tradeoff strong').textContent()).toBe(
      'Latency of requests p50, ms against Output tokens/s',
    );
    await page.getByLabel('Limit', { exact: true }).selectOption('request_latency_p50');
    await page.getByLabel('Limit value').fill('0.001');
    await page.getByLabel('Limit value').press('Tab');
    expect(await page.locator('#verdict .sentence').textContent()).toContain('no load point keeps it');
    await page.getByLabel('Limit', { exact: true }).selectOption('goodput');
    await page.getByLabel('Latency', { exact: true }).selectOption('time_to_first_token_p99');
    await page.getByLabel('Throughput', { exact: true }).selectOption('request_throughput_avg');
    await page.getByLabel('logarithmic').check();
    expect(await listChartIds(page)).toEqual(expect.arrayContaining(CHARTS));
    await page.getByLabel('logarithmic').uncheck();
  });

  test('shows the same charts without scripts, none of them blank', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(pathToFileURL(html).href);
    expect(await plain.locator('#charts figure').count()).toBe(await page.locator('#charts figure').count());
    for (const box of await plain.locator('#charts svg.drawing').all())
      expect((await box.boundingBox())!.height).toBeGreaterThan(50);
    expect(await plain.locator('#point-table tbody tr').count()).toBe(CONCURRENCIES.length);
    await context.close();
  });

  test('links each run to its page', async () => {
    const links = page.locator('#point-table a');
    expect(await links.count()).toBe(CONCURRENCIES.length * RUNS_PER_VARIATION);
    const addresses = await links.evaluateAll(anchors => anchors.map(anchor => anchor.getAttribute('href')!));
    for (const address of addresses) expect(statSync(join(folder, address)).size).toBeGreaterThan(10_000);
    const run = await browser.newPage();
    await run.goto(new URL(addresses[0]!, pathToFileURL(html)).href);
    expect(await run.locator('h1').textContent()).toContain('concurrency_1');
    await run.close();
  });

  test('shows the same values in its table', async () => {
    const rows = page.locator('#point-table tbody tr');
    expect(await rows.locator('th').allTextContents()).toEqual(
      CONCURRENCIES.map(value => `concurrency ${value}`),
    );
    expect(await page.locator('#point-table thead th').count()).toBe(10);
    for (const text of await rows.locator('td:nth-child(3)').allTextContents())
      expect(text).toMatch(/^[\d.,]+ ± [\d.,]+$/);
    expect(await page.locator('#client').getAttribute('open')).toBeNull();
  });

  test.each(['light', 'dark'] as const)(
    'fits a phone without serious accessibility issues according to axe, in %s',
    async colorScheme => {
      await page.setViewportSize({ width: 390, height: 800 });
      await page.emulateMedia({ colorScheme });
      await expect
        .poll(() => page.locator('#tradeoff svg.drawing').getAttribute('viewBox'))
        .toMatch(/^0 0 3\d\d /);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await page.evaluate(AXE);
      const { violations } = (await page.evaluate('axe.run()')) as {
        readonly violations: readonly { readonly id: string; readonly impact: string }[];
      };
      expect(violations.filter(({ impact }) => /serious|critical/.test(impact)).map(({ id }) => id)).toEqual(
        [],
      );
    },
  );

  test('prints all charts', async () => {
    await page.emulateMedia({ media: 'print' });
    for (const chart of CHARTS) expect(await page.locator(`#${chart} svg.drawing`).isVisible()).toBe(true);
    expect(await page.locator('#choice').isVisible()).toBe(false);
    expect((await page.pdf({ format: 'A4', landscape: true })).length).toBeGreaterThan(20_000);
    await page.emulateMedia({ media: 'screen' });
  });

  test('shows no errors and violates no policy', async () => {
    expect(problems).toEqual([]);
    expect(await page.evaluate('forbidden')).toEqual([]);
  });
});

/** Runs a sweep of a few seconds against a simulated server. */
async function runSweep(folder: string): Promise<void> {
  const args = (port: number): string[] => [
    ...[join(root, 'apps/cli/bin/servelens.js'), 'simulate', '--port', String(port), '--seed', '5'],
  ];
  const simulator = await startService(process.execPath, args, '/health');
  try {
    const { code, stderr } = await runServelens(
      [
        ...['profile', '--model', 'servelens/simulated-8b', '--url', simulator.url, '--streaming'],
        ...['--concurrency', CONCURRENCIES.join(','), '--num-profile-runs', String(RUNS_PER_VARIATION)],
        ...['--request-count', '18', '--isl', '30', '--osl', '10', '--vary-seed-per-trial'],
        ...['--goodput', 'time_to_first_token:60000'],
        ...['--use-server-token-count', '--server-metrics-formats', 'json', '--artifact-dir', folder],
      ],
      { env: { AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0' } },
    );
    if (code !== 0) throw new Error(`the sweep exited with code ${code}: ${stderr}`);
  } finally {
    await simulator.stop();
  }
}
