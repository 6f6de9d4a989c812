import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { collectProblems, startChromium } from './chromium.ts';
import { openPage, unfold } from './reportPage.ts';
import { createSaturatedPage } from './saturatedPage.ts';

const DESKTOP = { width: 1400, height: 800 };
const PHONE = { width: 390, height: 844 };

/** The area of the plot of a chart whose drawing is 600 pixels wide. */
const PLOT = { left: 46, top: 6 };

describe.skipIf(!inject('runs'))('the actions of the page of a run, in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'page-actions-'));
  let browser: Browser;
  let file: string;

  beforeAll(async () => {
    file = await createSaturatedPage(folder);
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(viewport: typeof DESKTOP, use: (page: Page) => Promise<void>): Promise<void> {
    const page = await browser.newPage({ viewport, reducedMotion: 'reduce' });
    const problems = collectProblems(page);
    await openPage(page, file);
    await use(page);
    expect(problems).toEqual([]);
    await page.close();
  }

  const countLines = (chart: Locator): Promise<number> => chart.locator('.plot > path.line').count();

  test('hides a line of a chart, and shows it again, with its item of the legend', () =>
    open(DESKTOP, async page => {
      const chart = page.locator('#client-requests');
      const before = await countLines(chart);
      const item = chart.getByRole('button', { name: 'completed' });
      await item.click();
      expect(await item.getAttribute('aria-pressed')).toBe('false');
      expect(await countLines(chart)).toBe(before - 1);
      expect(await chart.locator('.plot > path.line.s-client').count()).toBe(0);
      await item.press('Enter');
      expect(await countLines(chart)).toBe(before);
    }));

  test('hides the bounds of a percentile of servers with its line', () =>
    open(DESKTOP, async page => {
      const chart = page.locator('#server-ttft');
      expect(await chart.locator('.band.f-server').count()).toBe(1);
      await chart.getByRole('button', { name: 'p50 estimate' }).click();
      expect(await chart.locator('.band.f-server').count()).toBe(0);
      expect(await chart.locator('.band.f-waiting').count()).toBe(1);
    }));

  test.each(['client-latency', 'request-dots'])(
    'shows the row of the request of a dot of %s that is clicked',
    id =>
      open(DESKTOP, async page => {
        const chart = page.locator(`#${id} .chart`);
        const drawing = (await chart.locator('svg.drawing').getAttribute('viewBox'))!.split(' ').map(Number);
        const path = (await chart.locator('path.dots').first().getAttribute('d'))!;
        const [x, y] = findLowestDot(path);
        const scale = (await chart.boundingBox())!.width / drawing[2]!;
        await chart.click({ position: { x: (PLOT.left + x) * scale, y: (PLOT.top + y) * scale } });
        const row = page.locator('#request-table tr[aria-current]');
        expect(await row.count()).toBe(1);
        expect(await row.evaluate(element => element === element.ownerDocument.activeElement)).toBe(true);
        expect(await row.locator('[data-name="record"]').textContent()).toMatch(/^\d+$/);
        const bounds = (await row.boundingBox())!;
        expect(bounds.y).toBeGreaterThan(0);
        expect(bounds.y).toBeLessThan(DESKTOP.height);
      }),
  );

  test.each([
    ['a desktop', DESKTOP],
    ['a phone', PHONE],
  ])('moves nothing when the values at the cursor take more or fewer lines, on %s', (_, viewport) =>
    open(viewport, async page => {
      const chart = page.locator('#client-latency .chart');
      await chart.scrollIntoViewIfNeeded();
      const { width, height } = (await chart.boundingBox())!;
      const readings = new Set<string>();
      const places = new Set<number>();
      for (let x = 60; x < width - 20; x += 20) {
        await chart.hover({ position: { x, y: height / 2 } });
        readings.add((await page.locator('#client-latency .reading').textContent())!);
        places.add((await chart.boundingBox())!.y + ((await page.evaluate('scrollY')) as number));
      }
      expect(readings.size).toBeGreaterThan(5);
      expect(places.size).toBe(1);
    }),
  );

  test('selects the request nearest to the cursor with the Enter key', () =>
    open(DESKTOP, async page => {
      const chart = page.locator('#client-latency .chart');
      await chart.focus();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      expect(await page.locator('#request-table tr[aria-current]').count()).toBe(1);
    }));

  test.each([
    ['the first screen', 'header', 'report.png'],
    ['a chart', '#client-ttft', 'client-ttft.png'],
  ])('saves %s as a picture, within the content security policy', (_, place, name) =>
    open(DESKTOP, async page => {
      const help = page.locator(`${place} .help > summary`);
      if ((await help.count()) > 0) await help.click();
      const download = page.waitForEvent('download');
      await page.locator(place).getByRole('button', { name: 'Save as PNG' }).click();
      const saved = await download;
      expect(saved.suggestedFilename()).toBe(name);
      const path = join(folder, name);
      await saved.saveAs(path);
      const png = readFileSync(path);
      expect(png.subarray(1, 4).toString()).toBe('PNG');
      // A picture without lines and text would be much smaller.
      expect(png.length).toBeGreaterThan(20_000);
      expect(png.readUInt32BE(16)).toBeGreaterThan(1000);
    }),
  );

  test('explains a chart: how to read it, its formula and its metrics, with a button for the axis', () =>
    open(DESKTOP, async page => {
      const client = page.locator('#client-itl .help');
      await client.locator('summary').press('Enter');
      expect(await client.textContent()).toMatch(/Higher is worse.*/);
      expect(await client.textContent()).toContain('(latency - time to first token) / (output tokens - 1)');
      const figure = page.locator('#server-ttft');
      await figure.locator('.help > summary').click();
      expect(await figure.locator('.help').textContent()).toMatch(
        /vllm:time_to_first_token_seconds: .+ Lower is better\./,
      );
      const before = await figure.locator('.tick text').allTextContents();
      await figure.getByRole('button', { name: 'Logarithmic axis' }).click();
      expect(await figure.locator('.tick text').allTextContents()).not.toEqual(before);
    }));

  test('shows the rows of tables as cards on a phone', () =>
    open(PHONE, async page => {
      await unfold(page, 'client');
      const row = page.locator('#client-table tbody tr').filter({ hasText: 'time_to_first_token' }).first();
      const width = (await row.boundingBox())!.width;
      expect(width).toBeLessThanOrEqual(PHONE.width);
      for (const name of ['p50', 'p99']) {
        const cell = row.locator(`[data-name="${name}"]`);
        expect(await cell.isVisible()).toBe(true);
        const box = (await cell.boundingBox())!;
        expect(box.x + box.width).toBeLessThanOrEqual(PHONE.width);
        expect(await cell.evaluate(element => getComputedStyle(element, '::before').content)).toBe(
          `"${name}"`,
        );
      }
    }));
});

/** Returns the position of the lowest dot of a path. Numbers of findings can lie on dots at the top. */
function findLowestDot(path: string): readonly [x: number, y: number] {
  let position: readonly [number, number] = [0, 0];
  let lowest = position;
  for (const [, dx, dy] of path.matchAll(/m(-?[\d.]+) ?(-?[\d.]+)h0/g)) {
    position = [position[0] + Number(dx), position[1] + Number(dy)];
    if (position[1] >= lowest[1]) lowest = position;
  }
  return lowest;
}
