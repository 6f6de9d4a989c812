import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { collectProblems, startChromium } from './chromium.ts';
import { findViolations, openPage } from './reportPage.ts';
import { createSaturatedPage } from './saturatedPage.ts';

/** Maximum size of the page of a short run, in bytes. */
const MAX_BYTES = 160_000;

/** Reads the drawn lines and areas of each chart: the number of its paths with more than one point. */
const COUNT_DRAWINGS = `[...document.querySelectorAll('figure svg.drawing')].map(svg => ({
  id: svg.closest('figure').id || svg.getAttribute('aria-label'),
  paths: [...svg.querySelectorAll('path')].filter(path => !/^(grid|axis|moment|limit)/.test(path.getAttribute('class'))).length,
  height: svg.getBoundingClientRect().height,
}))`;

interface Drawing {
  readonly id: string;
  readonly paths: number;
  readonly height: number;
}

describe.skipIf(!inject('runs'))('the page of a saturated run, in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'run-page-'));
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

  async function open(
    options: Parameters<Browser['newPage']>[0],
    use: (page: Page) => Promise<void>,
  ): Promise<void> {
    const page = await browser.newPage(options);
    const problems = collectProblems(page);
    await openPage(page, file);
    await use(page);
    expect(problems).toEqual([]);
    await page.close();
  }

  test('is smaller than 160 KB', () => {
    expect(statSync(file).size).toBeLessThan(MAX_BYTES);
  });

  test('shows the verdict, eight tiles and the first charts of client and server in the first 800 pixels', () =>
    open({ viewport: { width: 1400, height: 800 } }, async page => {
      expect(await page.locator('.sentence').textContent()).toMatch(/^▲ (Problem|Attention): \S/);
      expect(await page.locator('.facts').textContent()).toMatch(
        /requests succeeded.*requests waited in the server/,
      );
      expect(await page.locator('.tile-name').allTextContents()).toEqual([
        ...['Requests/s', 'Output tokens/s', 'Time to first token', 'Time between tokens'],
        ...['Latency of requests', 'Within limits', 'Queue', 'KV cache'],
      ]);
      for (const id of ['client-requests', 'server-queue']) {
        const box = (await page.locator(`#${id} svg.drawing`).boundingBox())!;
        expect(box.y + box.height).toBeLessThan(800);
      }
      expect(await page.locator('#client-requests .legend').textContent()).toMatch(/sent.*completed/);
    }));

  test.each([
    ['with', true],
    ['without', false],
  ])('has no blank chart in a full-page picture %s scripts', async (_, javaScriptEnabled) => {
    const page = await browser.newPage({ viewport: { width: 1400, height: 800 } });
    await openPage(page, file);
    const drawings = (await page.evaluate(COUNT_DRAWINGS)) as readonly Drawing[];
    await page.close();
    expect(drawings.length).toBeGreaterThan(12);
    expect(drawings.filter(({ paths, height }) => paths === 0 || height < 50)).toEqual([]);
    if (javaScriptEnabled) return;
    const plain = await browser.newPage({ viewport: { width: 1400, height: 800 }, javaScriptEnabled });
    await plain.goto(`file://${file}`);
    expect(await plain.locator('figure svg.drawing path.line').count()).toBeGreaterThan(12);
    expect(await plain.locator('.tile').count()).toBe(8);
    await plain.close();
  });

  test('aligns the time axes of all charts of a column', () =>
    open({ viewport: { width: 1400, height: 800 } }, async page => {
      const lefts = (await page.evaluate(
        `[...document.querySelectorAll('.column:first-child .plot')].map(plot => {
          const { left, width } = plot.closest('.drawing').getBoundingClientRect();
          return [left, width, plot.getAttribute('x'), plot.getAttribute('width')].join(' ');
        })`,
      )) as readonly string[];
      expect(lefts.length).toBeGreaterThanOrEqual(4);
      expect(new Set(lefts).size).toBe(1);
    }));

  test('shows the verdict and all tiles on the first screen of a phone', () =>
    open({ viewport: { width: 390, height: 844 } }, async page => {
      const box = (await page.locator('.tile').last().boundingBox())!;
      expect(box.y + box.height).toBeLessThan(844);
    }));

  test('fits a phone, with two tiles in a row, charts below each other and readable text', () =>
    open({ viewport: { width: 390, height: 844 } }, async page => {
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      const [first, second, third] = await Promise.all(
        [0, 1, 2].map(async i => (await page.locator('.tile').nth(i).boundingBox())!),
      );
      expect(second!.y).toBe(first!.y);
      expect(third!.y).toBeGreaterThan(first!.y);
      const client = (await page.locator('#client-requests').boundingBox())!;
      const server = (await page.locator('#server-queue').boundingBox())!;
      expect(server.y).toBeGreaterThan(client.y + client.height);
      const height = page.locator('#client-requests .tick text').first();
      await expect.poll(async () => (await height.boundingBox())!.height).toBeGreaterThan(11);
    }));

  test('folds the sections after the first charts on a phone, and unfolds one from its heading', () =>
    open({ viewport: { width: 390, height: 844 } }, async page => {
      const chart = page.locator('#request-dots');
      const heading = page.locator('#requests h2 button');
      expect(await page.locator('#timeline h2 button').count()).toBe(0);
      expect(await heading.getAttribute('aria-expanded')).toBe('false');
      expect(await chart.isVisible()).toBe(false);
      await heading.click();
      expect(await heading.getAttribute('aria-expanded')).toBe('true');
      await expect
        .poll(async () => (await chart.locator('svg.drawing').boundingBox())!.width)
        .toBeGreaterThan(300);
      expect(await findViolations(page)).toEqual([]);
      await heading.click();
      expect(await chart.isVisible()).toBe(false);
      await page.setViewportSize({ width: 1280, height: 800 });
      await expect.poll(() => chart.isVisible()).toBe(true);
      expect(await heading.count()).toBe(0);
    }));

  test('shows all sections on a phone without scripts', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false });
    await page.goto(`file://${file}`);
    expect(await page.locator('#request-dots').isVisible()).toBe(true);
    await page.close();
  });

  test('unfolds the requests on a phone when a dot is selected', () =>
    open({ viewport: { width: 390, height: 844 } }, async page => {
      const chart = page.locator('#client-latency .chart');
      await chart.focus();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      expect(await page.locator('#request-table tr[aria-current]').isVisible()).toBe(true);
    }));

  test('prints the verdict, the tiles and all charts on one time axis on its first page, without buttons', () =>
    open({ viewport: { width: 1047, height: 722 } }, async page => {
      // The size of A4 landscape within its margins, at 96 dpi.
      await page.emulateMedia({ media: 'print' });
      expect(await page.getByRole('button', { name: 'Zoom in' }).isVisible()).toBe(false);
      const tiles = await Promise.all(
        Array.from({ length: 8 }, async (_, i) => (await page.locator('.tile').nth(i).boundingBox())!.y),
      );
      expect(new Set(tiles).size).toBe(1);
      const charts = await page.locator('#timeline figure').all();
      expect(charts.length).toBeGreaterThanOrEqual(9);
      for (const chart of charts) {
        const box = (await chart.boundingBox())!;
        expect(box.y + box.height).toBeLessThan(722);
      }
      const pdf = await page.pdf({ preferCSSPageSize: true });
      const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)!.length;
      expect(pages).toBeLessThanOrEqual(6);
    }));

  test('prints folded findings with their advice, and folded tables', () =>
    open({ viewport: { width: 1047, height: 722 } }, async page => {
      await page.locator('#client-table tbody tr').first().waitFor({ state: 'attached' });
      await page.emulateMedia({ media: 'print' });
      for (const part of [
        '#findings li > p',
        '#client tbody tr',
        '#client-and-server tbody tr',
        '#endpoints tbody tr',
      ]) {
        const box = await page.locator(part).first().boundingBox();
        expect(box?.height).toBeGreaterThan(8);
      }
      expect(await page.locator('#series').isVisible()).toBe(false);
    }));

  test('links each finding that has a time to its shaded interval', () =>
    open({ viewport: { width: 1400, height: 800 } }, async page => {
      expect(await page.locator('#server-queue path.finding').count()).toBeGreaterThan(0);
      await page.locator('#findings > summary').click();
      const link = page.locator('#findings .when a').first();
      const [from, to] = /t=([\d.]+)-([\d.]+)/
        .exec((await link.getAttribute('href'))!)!
        .slice(1)
        .map(Number);
      await link.click();
      const range = page.locator('#server-queue .chart');
      await expect.poll(() => range.getAttribute('data-range')).toBe(`${from} ${to}`);
    }));

  test('can be used by keyboard alone', () =>
    open({ viewport: { width: 1400, height: 800 } }, async page => {
      const reached = new Set<string>();
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press('Tab');
        reached.add(
          String(
            await page.evaluate(
              "(document.activeElement.textContent || '').slice(0, 20) + ' ' + (document.activeElement.dataset.chart ?? '')",
            ),
          ),
        );
      }
      const list = [...reached].join('\n');
      for (const target of ['Skip to content', 'Dark mode', 'Zoom in', 'client-ttft', 'server-queue'])
        expect(list).toContain(target);
    }));

  test.each(['light', 'dark'] as const)('has no accessibility issue according to axe, %s', colorScheme =>
    open({ viewport: { width: 1400, height: 800 }, colorScheme }, async page => {
      for (const details of await page.locator('details').all())
        await details.evaluate(element => element.setAttribute('open', ''));
      expect(await findViolations(page)).toEqual([]);
    }),
  );
});
