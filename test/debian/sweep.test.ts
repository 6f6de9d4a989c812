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
/** Tolerance of positions, in pixels. The expected and the painted position are both rounded. */
const TOLERANCE_PX = 1.5;

/** Everything painted since the last clearing of the chart: labels, points and lines. */
interface PaintedChart {
  readonly texts: readonly { readonly text: string; readonly x: number; readonly y: number }[];
  readonly circles: readonly { readonly x: number; readonly y: number; readonly fill: string }[];
  /** Corners of each path. */
  readonly paths: readonly (readonly (readonly [x: number, y: number])[])[];
}

/** Script that runs before any script of the page. It records paint calls and policy violations. */
const RECORD_PAINTING = `
  globalThis.forbidden = [];
  addEventListener('securitypolicyviolation', event => forbidden.push(event.violatedDirective + ' ' + event.blockedURI));
  globalThis.painted = { texts: [], circles: [], paths: [] };
  const context = CanvasRenderingContext2D.prototype;
  const { clearRect, fillText, arc, beginPath, moveTo, lineTo, fill } = context;
  let path = [];
  let circle;
  context.clearRect = function (...args) {
    globalThis.painted = { texts: [], circles: [], paths: [] };
    return clearRect.apply(this, args);
  };
  context.beginPath = function () { path = []; painted.paths.push(path); circle = undefined; return beginPath.call(this); };
  context.moveTo = function (x, y) { path.push([x, y]); return moveTo.call(this, x, y); };
  context.lineTo = function (x, y) { path.push([x, y]); return lineTo.call(this, x, y); };
  context.arc = function (x, y, ...rest) { circle = { x, y }; return arc.call(this, x, y, ...rest); };
  context.fill = function (...args) {
    if (circle) painted.circles.push({ ...circle, fill: this.fillStyle });
    return fill.apply(this, args);
  };
  context.fillText = function (text, x, y, ...rest) {
    const matrix = this.getTransform();
    painted.texts.push({ text, x: matrix.a * x + matrix.c * y + matrix.e, y: matrix.b * x + matrix.d * y + matrix.f });
    return fillText.call(this, text, x, y, ...rest);
  };
`;

describe.skipIf(!inject('runs'))('the page of a sweep in Chromium', () => {
  let folder = '';
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
    const html = join(folder, 'report.html');
    const { code, stderr } = await runServelens(['read', 'report', folder, '--output', html]);
    expect([code, stderr]).toEqual([0, '']);
    expect(statSync(html).size).toBeLessThan(5e6);
    browser = await startChromium();
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    problems = collectProblems(page);
    await page.addInitScript(RECORD_PAINTING);
    await page.goto(pathToFileURL(html).href);
    await page.locator('#curve canvas').waitFor();
    for (let attempts = 0; (await readPaintedChart(page)).circles.length === 0 && attempts < 500; attempts++)
      await page.waitForTimeout(20);
  });
  afterAll(async () => {
    await browser?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /** Lists a metric of each variation, in order. */
  const listMetrics = (name: string): SweepMetric[] =>
    sweep.per_combination_metrics.map(({ metrics }) => metrics[name]!);

  /**
   * Checks that the painted curve shows two metrics: points, line, intervals and labels at their positions.
   */
  async function expectCurve(x: string, y: string): Promise<void> {
    const chart = await readPaintedChart(page);
    const [xs, ys] = [listMetrics(x), listMetrics(y)];
    expect(chart.circles).toHaveLength(xs.length);
    const toX = fitScale(
      xs.map(({ mean }) => mean),
      chart.circles.map(circle => circle.x),
    );
    const toY = fitScale(
      ys.map(({ mean }) => mean),
      chart.circles.map(circle => circle.y),
    );
    for (const [index, circle] of chart.circles.entries()) {
      expect(Math.abs(toX(xs[index]!.mean) - circle.x)).toBeLessThan(TOLERANCE_PX);
      expect(Math.abs(toY(ys[index]!.mean) - circle.y)).toBeLessThan(TOLERANCE_PX);
    }
    const corners = chart.circles.map(circle => [circle.x, circle.y] as const);
    expect(chart.paths.some(path => isSamePath(path, corners))).toBe(true);
    for (const [index, { label }] of sweep.per_combination_metrics
      .map(combination => ({ label: combination.variation_label! }))
      .entries()) {
      const name = chart.texts.find(({ text }) => text === label);
      expect(name, label).toBeDefined();
      expect(Math.abs(name!.x - chart.circles[index]!.x)).toBeLessThan(40);
      expect(Math.abs(name!.y - chart.circles[index]!.y)).toBeLessThan(40);
    }
    for (const [index, circle] of chart.circles.entries()) {
      const whiskers = findWhiskers(chart, circle);
      expect(whiskers, `interval of point ${index}`).toBeDefined();
      const ends = [
        ...computeIntervalEnds(xs, index).map(value => toX(value)),
        ...computeIntervalEnds(ys, index).map(value => toY(value)),
      ];
      for (const [endIndex, end] of ends.entries())
        expect(Math.abs(whiskers![endIndex]! - end), `end ${endIndex} of point ${index}`).toBeLessThan(
          TOLERANCE_PX,
        );
    }
  }

  test('draws a point for each variation, with its interval and label', async () => {
    await expectCurve('request_throughput_avg', 'time_to_first_token_p99');
  });

  test('fills the Pareto-optimal points and names them', async () => {
    const { circles } = await readPaintedChart(page);
    const paretoOptimal = new Set((sweep.pareto_optimal ?? []).map(parameters => JSON.stringify(parameters)));
    const isParetoOptimal = sweep.per_combination_metrics.map(({ parameters }) =>
      paretoOptimal.has(JSON.stringify(parameters)),
    );
    const names = sweep.per_combination_metrics
      .filter((_, index) => isParetoOptimal[index])
      .map(({ variation_label: name }) => name);
    const box = page.locator('#curve .chart.curve');
    expect(await box.getAttribute('data-pareto')).toBe(names.join(' '));
    const fills = circles.map(({ fill }) => fill);
    const filled = fills.filter((_, index) => isParetoOptimal[index]);
    const empty = fills.filter((_, index) => !isParetoOptimal[index]);
    expect(filled.length).toBeGreaterThan(0);
    expect(new Set(filled).size).toBe(1);
    for (const fill of empty) expect(filled).not.toContain(fill);
    // The displayed color at the center of each point is its fill color.
    expect(await readPixels(page, circles)).toEqual(fills);
  });

  test('labels its axes and has an accessible description', async () => {
    const { texts } = await readPaintedChart(page);
    const words = texts.map(({ text }) => text);
    expect(words).toContain('Requests/s');
    expect(words).toContain('Time to First Token p99');
    expect(await page.locator('#curve .chart.curve').getAttribute('aria-label')).toBe(
      'Time to First Token p99 over Requests/s of each variation; a table follows',
    );
    expect(await page.locator('#curve').textContent()).toContain('Error bars show confidence intervals.');
  });

  test('draws other metrics if they are selected', async () => {
    await page.getByLabel('Latency', { exact: true }).selectOption('request_latency_p50');
    await page.getByLabel('Throughput', { exact: true }).selectOption('output_token_throughput_avg');
    await expect
      .poll(async () => (await readPaintedChart(page)).texts.map(({ text }) => text))
      .toContain('Request Latency p50');
    await expectCurve('output_token_throughput_avg', 'request_latency_p50');
    await page.getByLabel('Latency', { exact: true }).selectOption('time_to_first_token_p99');
    await page.getByLabel('Throughput', { exact: true }).selectOption('request_throughput_avg');
  });

  test('shows the same values in its table', async () => {
    const rows = page.locator('#variation-table tbody tr');
    const names = await rows.locator('td:nth-child(2)').allTextContents();
    expect(names).toEqual(CONCURRENCIES.map(value => `concurrency_${value}`));
    const runs = await rows.locator('td:nth-child(3)').allTextContents();
    expect(runs).toEqual(CONCURRENCIES.map(() => String(RUNS_PER_VARIATION)));
    const failed = await rows.locator('td:nth-child(4)').allTextContents();
    expect(failed).toEqual(CONCURRENCIES.map(() => '0'));
    const throughputs = await rows.locator('td:nth-child(5)').allTextContents();
    for (const text of throughputs) expect(text).toMatch(/^[\d.,]+ ± [\d.,]+$/);
  });

  test('fits a small window without serious accessibility issues according to axe', async () => {
    await page.setViewportSize({ width: 400, height: 800 });
    await expect
      .poll(async () => Math.max(...(await readPaintedChart(page)).circles.map(({ x }) => x)))
      .toBeLessThan(400);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await page.evaluate(AXE);
    const { violations } = (await page.evaluate('axe.run()')) as {
      readonly violations: readonly { readonly id: string; readonly impact: string }[];
    };
    expect(violations.filter(({ impact }) => /serious|critical/.test(impact)).map(({ id }) => id)).toEqual(
      [],
    );
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
        ...['--use-server-token-count', '--server-metrics-formats', 'json', '--artifact-dir', folder],
      ],
      { env: { AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0' } },
    );
    if (code !== 0) throw new Error(`the sweep exited with code ${code}: ${stderr}`);
  } finally {
    await simulator.stop();
  }
}

async function readPaintedChart(page: Page): Promise<PaintedChart> {
  const scale = (await page.evaluate('devicePixelRatio')) as number;
  expect(scale).toBe(1);
  return (await page.evaluate('painted')) as PaintedChart;
}

function computeHalfInterval({ se, t_critical: t }: SweepMetric): number {
  expect([se, t]).toEqual([expect.any(Number), expect.any(Number)]);
  return se! * t!;
}

/** Returns the linear mapping from values to pixels, through the two most distant points. */
function fitScale(values: readonly number[], pixels: readonly number[]): (value: number) => number {
  const order = [...values.keys()].sort((a, b) => values[a]! - values[b]!);
  const [low, high] = [order[0]!, order.at(-1)!];
  const slope = (pixels[high]! - pixels[low]!) / (values[high]! - values[low]!);
  return value => pixels[low]! + slope * (value - values[low]!);
}

function isSamePath(
  path: PaintedChart['paths'][number],
  corners: readonly (readonly [number, number])[],
): boolean {
  return (
    path.length === corners.length &&
    path.every(([x, y], index) => x === corners[index]![0] && y === corners[index]![1])
  );
}

/**
 * Returns both ends of the confidence interval, clipped to the axis range, which extends from 0 to slightly
 * above all intervals.
 */
function computeIntervalEnds(figures: readonly SweepMetric[], index: number): [low: number, high: number] {
  const metric = figures[index]!;
  const top =
    1.08 *
    Math.max(...figures.map(figure => figure.mean + Math.min(computeHalfInterval(figure), figure.mean)));
  return [
    Math.max(0, metric.mean - computeHalfInterval(metric)),
    Math.min(top, metric.mean + computeHalfInterval(metric)),
  ];
}

/** Returns the ends of the cross through a point: left, right, bottom, top. */
function findWhiskers(
  { paths }: PaintedChart,
  { x, y }: PaintedChart['circles'][number],
): number[] | undefined {
  for (const [left, right, low, high, ...more] of paths) {
    if (!left || !right || !low || !high || more.length > 0) continue;
    if (left[1] === y && right[1] === y && low[0] === x && high[0] === x)
      return [left[0], right[0], low[1], high[1]];
  }
  return undefined;
}

/**
 * Returns the colors of pixels as `#rrggbb`. Reads them in one call, because Chromium warns about repeated reads.
 */
async function readPixels(page: Page, points: PaintedChart['circles']): Promise<string[]> {
  const script = `(() => {
    const { width, height } = document.querySelector('#curve canvas');
    const { data } = document.querySelector('#curve canvas').getContext('2d').getImageData(0, 0, width, height);
    return ${JSON.stringify(points)}.map(({ x, y }) => {
      const offset = 4 * (Math.round(y) * width + Math.round(x));
      return [...data.slice(offset, offset + 3)];
    });
  })()`;
  const colors = (await page.evaluate(script)) as number[][];
  return colors.map(rgb => `#${rgb.map(part => part.toString(16).padStart(2, '0')).join('')}`);
}
