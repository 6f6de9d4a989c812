import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { listNights, writeNightlyRuns } from '../../packages/analysis/test/trend/nightlyRuns.ts';
import { createNormal } from '../../packages/analysis/test/trend/series.ts';
import { runServelens } from '../servelens.ts';
import { collectProblems, startChromium } from './chromium.ts';
import { findViolations } from './reportPage.ts';

const DESKTOP = { viewport: { width: 1400, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 } };
/** The width of A4 in landscape without its margins, in pixels of CSS. */
const PAPER = { viewport: { width: 1047, height: 718 } };

/** Reads the charts: the number of their dots and lines, and their height. */
const READ_CHARTS = `[...document.querySelectorAll('figure svg.drawing')].map(svg => ({
  name: svg.closest('figure').querySelector('strong').textContent,
  marks: svg.querySelectorAll('path:not(.grid, .axis)').length,
  height: svg.getBoundingClientRect().height,
}))`;

interface Chart {
  readonly name: string;
  readonly marks: number;
  readonly height: number;
}

describe.skipIf(!inject('runs'))('the page of a trend, in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trend-page-'));
  const file = join(folder, 'trend.html');
  let browser: Browser;

  beforeAll(async () => {
    const normal = createNormal(3);
    // Two workloads: one that gets slower with a new version, and an earlier one without changes.
    writeNightlyRuns(
      join(folder, 'nightly'),
      listNights(14, i => ({ itl: normal(i < 8 ? 10 : 12, 0.1), version: i < 8 ? '0.1.0' : '0.2.0' })),
    );
    writeNightlyRuns(
      join(folder, 'nightly-fast'),
      listNights(12, i => ({ rate: 8, day: i - 100 })),
    );
    const { code, stderr } = await runServelens([
      ...['read', 'trend', join(folder, 'nightly'), join(folder, 'nightly-fast'), '--html', file],
    ]);
    expect([code, stderr]).toEqual([0, '']);
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(options: BrowserContextOptions, use: (page: Page) => Promise<void>): Promise<void> {
    const page = await browser.newPage(options);
    const problems = collectProblems(page);
    await page.goto(pathToFileURL(file).href);
    await use(page);
    expect(problems).toEqual([]);
    await page.close();
  }

  test('starts with the result of the first group', () =>
    open(DESKTOP, async page => {
      const sentence = page.locator('.sentence').first();
      expect(await sentence.textContent()).toMatch(/^▲ Worse: 1 change in 14 runs, at run 9: /);
      const box = (await sentence.boundingBox())!;
      expect(box.y + box.height).toBeLessThan(DESKTOP.viewport.height);
      expect(await page.locator('.sentence').nth(1).textContent()).toMatch(
        /^● Stable: no change found in 12 runs/,
      );
    }));

  test('states the method, and that runs are assumed to be independent', () =>
    open(DESKTOP, async page => {
      const text = await page.locator('#group-1-method').textContent();
      expect(text).toContain('E-divisive means');
      expect(text).toContain('Runs are assumed to be independent of each other');
    }));

  test.each([
    ['with', true],
    ['without', false],
  ])('has no blank chart and all tables %s scripts', async (_, javaScriptEnabled) => {
    await open({ ...DESKTOP, javaScriptEnabled }, async page => {
      // A page without scripts cannot be evaluated, so that only its elements are counted.
      if (javaScriptEnabled) {
        const charts = (await page.evaluate(READ_CHARTS)) as readonly Chart[];
        expect(charts.length).toBeGreaterThan(4);
        expect(charts.filter(({ marks, height }) => marks === 0 || height < 40)).toEqual([]);
        expect(await page.getByRole('button', { name: 'Dark mode' }).count()).toBe(1);
      } else {
        const figures = await page.locator('figure').count();
        expect(figures).toBeGreaterThan(4);
        expect(await page.locator('figure:has(svg.drawing path)').count()).toBe(figures);
      }
      expect(await page.locator('#group-1-runs tbody tr').count()).toBe(14);
      expect(await page.locator('#group-2-runs tbody tr').count()).toBe(12);
    });
  });

  test('fits a phone: only tables scroll sideways', () =>
    open(PHONE, async page => {
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    }));

  test.each(['light', 'dark'] as const)('has no accessibility issue according to axe, %s', colorScheme =>
    open({ ...DESKTOP, colorScheme }, async page => {
      expect(await findViolations(page)).toEqual([]);
    }),
  );

  test('prints changes, charts and all rows of tables, without buttons', () =>
    open(PAPER, async page => {
      await page.emulateMedia({ media: 'print' });
      expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
      expect(await page.locator('.findings > li').first().isVisible()).toBe(true);
      const cut = await page
        .locator('.scroll')
        .evaluateAll(
          boxes =>
            boxes.filter(
              box =>
                (box as unknown as HTMLBox).scrollWidth > (box as unknown as HTMLBox).clientWidth + 1 ||
                (box as unknown as HTMLBox).scrollHeight > (box as unknown as HTMLBox).clientHeight + 1,
            ).length,
        );
      expect(cut).toBe(0);
      const pdf = await page.pdf({ preferCSSPageSize: true });
      expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)!.length).toBeLessThanOrEqual(6);
    }));
});

/** The size of a box in the page. */
interface HTMLBox {
  readonly scrollWidth: number;
  readonly clientWidth: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}
