import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { formatValue } from '../../packages/core/dist/index.js';
import { fromPath, readServerMetrics } from '../../packages/formats/dist/read.js';
import { collectProblems, startChromium } from './chromium.ts';
import {
  buildHourOfSixtyEndpoints,
  createReport,
  findViolations,
  getRangeLength,
  openPage,
  parseSeconds,
  readCells,
  readRanges,
  unfold,
} from './reportPage.ts';

const runs = inject('runs');
const HOSTILE_TEXT = `<img src=x onerror="document.title='taken'"></script><script>document.title='taken'</script>`;
const WIDTHS = [1280, 400] as const;

let browser: Browser;

describe.skipIf(!runs)('the report in Chromium', () => {
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  describe('of a vLLM server', () => {
    let page: Page;
    let problems: readonly string[];
    const requests: string[] = [];

    beforeAll(async () => {
      const file = await createReport('vllm.html', runs!.vllm, '--baseline', runs!.vllm);
      page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      problems = collectProblems(page);
      page.on('request', request => requests.push(request.url()));
      await openPage(page, file);
    });
    afterAll(() => page?.close());

    test('opens without problems and sends no network requests', () => {
      expect(problems).toEqual([]);
      expect(requests.filter(url => !url.startsWith('file:'))).toEqual([]);
      expect(requests).toHaveLength(1);
    });

    test('contains all sections of a report', async () => {
      expect(await page.locator('h2').allTextContents()).toEqual([
        'Load and answers, measured by the servers',
        'What the servers did',
        'Load and answers, measured by the servers, continued',
        expect.stringMatching(/^Where the time went: .+ per request$/),
        'Distributions',
        'More server metrics over time',
        'Tables',
        'Comparison',
        'About this run',
      ]);
      expect(await page.locator('#tables .fold h3').allTextContents()).toEqual(['Endpoints', 'All series']);
    });

    test('fills the tiles from the servers, because there is no client', async () => {
      const names = await page.locator('.tile-name').allTextContents();
      expect(names).toEqual([
        'Requests/s',
        'Output tokens/s',
        'Time to first token',
        'Time between tokens',
        'Latency of requests',
        'Queue',
        'KV cache',
      ]);
      expect(new Set(await page.locator('.tile-side').allTextContents())).toEqual(new Set(['server']));
    });

    test('shows the statistics of the JSON export', async () => {
      const { metrics } = await readServerMetrics(fromPath(join(runs!.vllm, 'server_metrics_export.json')));
      const gauge = metrics['vllm:num_requests_running']!;
      const counter = metrics['vllm:generation_tokens']!;
      const histogram = metrics['vllm:e2e_request_latency_seconds']!;
      const { avg, max, p99 } = gauge.series[0]!.stats as Record<string, number>;
      expect(await readCells(page, 'vllm:num_requests_running')).toMatchObject({
        avg: formatValue(avg!, null),
        max: formatValue(max!, null),
        p99: formatValue(p99!, null),
      });
      const { total, rate } = counter.series[0]!.stats as Record<string, number>;
      expect(await readCells(page, 'vllm:generation_tokens')).toMatchObject({
        count: formatValue(total!, null),
        'rate /s': formatValue(rate!, null),
      });
      const { count, p99_estimate } = histogram.series[0]!.stats as Record<string, number>;
      expect(await readCells(page, 'vllm:e2e_request_latency_seconds')).toMatchObject({
        count: formatValue(count!, null),
        p99: formatValue(p99_estimate!, 'seconds'),
      });
    });

    test('zooms all time charts together, by button and by dragging, and back', async () => {
      const fullRanges = await readRanges(page);
      expect(fullRanges.size).toBe(1);
      await page.getByRole('button', { name: 'Zoom in' }).click();
      const halfRanges = await readRanges(page);
      expect(halfRanges.size).toBe(1);
      expect(getRangeLength([...halfRanges][0]!)).toBeCloseTo(getRangeLength([...fullRanges][0]!) / 2, 6);

      const chart = page.locator('figure.time .chart').first();
      await chart.scrollIntoViewIfNeeded();
      const box = (await chart.boundingBox())!;
      // The plot is 520 of 600 pixels wide, and starts at 46.
      const toX = (share: number): number => box.x + (box.width * (46 + 520 * share)) / 600;
      await page.mouse.move(toX(0.25), box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(toX(0.75), box.y + box.height / 2, { steps: 5 });
      await page.mouse.up();
      const draggedRanges = await readRanges(page);
      expect(draggedRanges.size).toBe(1);
      expect(getRangeLength([...draggedRanges][0]!) / getRangeLength([...halfRanges][0]!)).toBeCloseTo(
        0.5,
        1,
      );

      await page.getByRole('button', { name: 'Whole run' }).click();
      expect(await readRanges(page)).toEqual(fullRanges);
    });

    test('supports the keyboard', async () => {
      const button = page.getByRole('button', { name: 'Zoom in' });
      const rangesBefore = await readRanges(page);
      await button.focus();
      await page.keyboard.press('Enter');
      expect(await readRanges(page)).not.toEqual(rangesBefore);
      await page.getByRole('button', { name: 'Whole run' }).press('Space');
      expect(await readRanges(page)).toEqual(rangesBefore);
    });

    test('moves the cursor of a chart with the keyboard and announces the values', async () => {
      const figures = page.locator('figure.time');
      const chart = figures.nth(0).locator('.chart');
      const announced = page.locator('main > p[aria-live]').last();
      const reading = figures.nth(0).locator('.reading');
      const press = async (key: string): Promise<string> => {
        await page.keyboard.press(key);
        const text = (await announced.textContent())!;
        expect(await reading.textContent()).toBe(text);
        // All time charts share one cursor.
        expect((await figures.nth(1).locator('.reading').textContent())!.split(':')[0]).toBe(
          text.split(':')[0],
        );
        return text;
      };
      await chart.focus();
      expect(await chart.getAttribute('aria-label')).toMatch(/, over time: .+ from .+ to .+/);
      const first = await press('ArrowRight');
      expect(first).toMatch(/^-?[\d.]+ s: (no data|completed [\d.]+)/);
      expect(await press('Home')).toBe(first);
      const second = await press('ArrowRight');
      expect(second).not.toBe(first);
      expect(await press('ArrowLeft')).toBe(first);
      const afterPageUp = await press('PageUp');
      expect([first, afterPageUp]).not.toContain(await press('End'));
      expect(await press('PageDown')).not.toBe(await press('End'));
      // The chart ignores other keys.
      const last = await press('End');
      for (const key of ['Control+ArrowLeft', 'ArrowUp', 'x']) expect(await press(key)).toBe(last);

      // After zooming in, Home and End refer to the visible range.
      await page.getByRole('button', { name: 'Zoom in' }).click();
      expect(await reading.textContent()).toBe('');
      await chart.focus();
      const [from, to] = [parseSeconds(await press('Home')), parseSeconds(await press('End'))];
      const [low, high] = [...(await readRanges(page))][0]!.split(' ').map(Number);
      expect(from).toBeGreaterThanOrEqual(low! - 0.05);
      expect(to).toBeLessThanOrEqual(high! + 0.05);
      expect(from).toBeGreaterThan(parseSeconds(first));
      expect(to).toBeLessThan(parseSeconds(last));
      await page.getByRole('button', { name: 'Whole run' }).click();
    });

    test('switches a chart to a logarithmic axis and back with the key L', async () => {
      const figure = page.locator('#server-latency');
      const readTicks = (): Promise<string[]> => figure.locator('.tick text').allTextContents();
      const linear = await readTicks();
      await figure.locator('.chart').focus();
      await page.keyboard.press('l');
      expect(await readTicks()).not.toEqual(linear);
      await page.keyboard.press('l');
      expect(await readTicks()).toEqual(linear);
    });

    test("switches colors by button, and follows the system's setting", async () => {
      const readColors = (): Promise<unknown> =>
        page.evaluate(`['color', 'backgroundColor'].map(name => getComputedStyle(document.body)[name])`);
      const light = await readColors();
      await page.getByRole('button', { name: 'Dark mode' }).click();
      const dark = await readColors();
      expect(dark).not.toEqual(light);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.getByRole('button', { name: 'Light mode' }).click();
      expect(await readColors()).toEqual(light);
      await page.evaluate('delete document.documentElement.dataset.theme');
      expect(await readColors()).toEqual(dark);
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await readColors()).toEqual(light);
    });

    test('shows the value under the pointer', async () => {
      const chart = page.locator('figure.time').first();
      await chart.scrollIntoViewIfNeeded();
      await chart.locator('.chart').hover();
      await expect.poll(() => chart.locator('.reading').textContent()).toMatch(/ s: completed [\d.]+/);
    });

    test('filters, sorts and copies its tables', async () => {
      await unfold(page, 'series');
      const table = page.locator('#series-table');
      await table.getByRole('searchbox').fill('request_success length');
      const rows = await table.locator('tbody tr').allTextContents();
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.every(text => text.includes('request_success') && text.includes('length'))).toBe(true);
      await table.getByRole('searchbox').fill('vllm: histogram');
      await table.getByRole('button', { name: 'count', exact: true }).click();
      expect(await table.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('descending');
      const names = await table.locator('tbody tr td:first-child').allTextContents();
      await table.getByRole('button', { name: 'count', exact: true }).click();
      expect(await table.locator('tbody tr td:first-child').allTextContents()).not.toEqual(names);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await table.getByRole('button', { name: 'Copy as CSV' }).click();
      await table.getByRole('button', { name: /^Cop(ied|ying)/ }).waitFor();
      const csv = String(await page.evaluate('navigator.clipboard.readText()'));
      expect(csv.split('\r\n')[0]).toMatch(/^metric,type,endpoint,labels,unit,count,/);
      expect(csv.trim().split('\r\n')).toHaveLength(names.length + 1);
      await table.getByRole('searchbox').fill('');
    });

    test('shows no change when compared with itself', async () => {
      const text = await page.locator('#comparison > p').first().textContent();
      expect(text).toMatch(/Compared with .*: \d+/);
      expect(text).not.toMatch(/worse|better/);
    });

    test.each(['light', 'dark'] as const)(
      'has no serious accessibility issue according to axe, %s',
      async scheme => {
        for (const width of WIDTHS) {
          const freshPage = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
          await openPage(freshPage, join(runs!.vllm, 'vllm.html'));
          for (const id of ['endpoints', 'series']) await unfold(freshPage, id);
          expect(await findViolations(freshPage)).toEqual([]);
          expect(
            await freshPage.evaluate('document.documentElement.scrollWidth - innerWidth'),
          ).toBeLessThanOrEqual(0);
          await freshPage.close();
        }
      },
    );

    test('prints without the buttons of its charts, and without the table of all series', async () => {
      const pdf = await page.pdf({ format: 'A4' });
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
      await page.emulateMedia({ media: 'print' });
      expect(await page.getByRole('button', { name: 'Zoom in' }).isVisible()).toBe(false);
      expect(await page.locator('#endpoints').isVisible()).toBe(true);
      expect(await page.locator('#series').isVisible()).toBe(false);
      await page.emulateMedia({ media: 'screen' });
    });
  });

  test('escapes text from servers', async () => {
    const json = readFileSync(join(runs!.vllm, 'server_metrics_export.json'), 'utf8');
    const file = join(runs!.vllm, 'evil.json');
    const text = JSON.stringify(HOSTILE_TEXT).slice(1, -1);
    writeFileSync(
      file,
      json.replaceAll('Qwen/Qwen3-0.6B', text).replace(/"description": "[^"]*"/g, `"description": "${text}"`),
    );
    const page = await browser.newPage();
    const problems = collectProblems(page);
    await openPage(page, await createReport('evil.html', file));
    await unfold(page, 'series');
    expect(await page.title()).not.toBe('taken');
    expect(await page.locator('img').count()).toBe(0);
    await page.locator('#series-table').getByRole('searchbox').fill('onerror');
    expect(await page.locator('#series-table tbody tr').first().textContent()).toContain(
      '<img src=x onerror=',
    );
    expect(problems).toEqual([]);
    await page.close();
  });

  test('shows an hour of sixty endpoints, those that differ most as charts, in a page below 5 MB that opens quickly', async () => {
    const file = join(runs!.vllm, 'sixty.json');
    writeFileSync(
      file,
      JSON.stringify(buildHourOfSixtyEndpoints(join(runs!.vllm, 'server_metrics_export.json'))),
    );
    const html = await createReport('sixty.html', file);
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const problems = collectProblems(page);
    const start = performance.now();
    await openPage(page, html);
    expect(performance.now() - start).toBeLessThan(10_000);
    const charts = page.locator('#replicas-running figure');
    expect(await charts.count()).toBeLessThanOrEqual(12);
    expect(await page.locator('#replicas-running').textContent()).toMatch(
      /Drawn are \d+ of 60: the 5 highest and the 3 lowest means/,
    );
    await unfold(page, 'endpoints');
    expect(await page.locator('#endpoint-table tbody tr').count()).toBe(60);
    // All charts of a row have the same value axis.
    expect(new Set(await charts.locator('text.tick').allTextContents()).size).toBe(1);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    expect((await readRanges(page)).size).toBe(1);
    expect(problems).toEqual([]);
    await page.close();
  });
});
