import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { runServelens } from '../servelens.ts';
import { startService } from '../service.ts';
import { root } from '../source.ts';
import { collectProblems, startChromium } from './chromium.ts';
import { findViolations, readRanges } from './reportPage.ts';

const MODEL = 'servelens/simulated-8b';
/** The time for recording and comparing three runs, also on a busy machine. */
const PREPARATION_MS = 400_000;
/** Maximum size of the page of two short runs, in bytes. */
const MAX_BYTES = 250_000;

/** The runs: the speed of the server and the load, in requests per second. */
const RUNS = { main: [1, 10], branch: [0.6, 10], load: [1, 20] } as const;

/** Reads the charts: the number of their lines, and their height. */
const COUNT_DRAWINGS = `[...document.querySelectorAll('figure svg.drawing, .effect-row svg.drawing')].map(svg => ({
  name: svg.closest('figure, li').textContent.slice(0, 40),
  paths: [...svg.querySelectorAll('path')].filter(path => !/^(grid|axis)/.test(path.getAttribute('class'))).length,
  height: svg.getBoundingClientRect().height,
}))`;

interface Drawing {
  readonly name: string;
  readonly paths: number;
  readonly height: number;
}

describe.skipIf(!inject('runs'))('the page of a comparison, in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'comparison-page-'));
  const regression = join(folder, 'regression.html');
  const otherLoad = join(folder, 'load.html');
  const several = join(folder, 'several.html');
  let browser: Browser;

  beforeAll(async () => {
    for (const [name, [speed, rate]] of Object.entries(RUNS)) await record(name, speed, rate);
    await compare(regression, 'main', 'branch');
    await compare(otherLoad, 'main', 'load');
    await compare(several, 'main', 'branch', 'load', '--each');
    browser = await startChromium();
  }, PREPARATION_MS);
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function record(name: string, speed: number, rate: number): Promise<void> {
    const command = [join(root, 'apps/cli/bin/servelens.js'), 'simulate', '--model', MODEL];
    const server = await startService(
      process.execPath,
      port => [...command, '--port', String(port), '--speed', String(speed), '--seed', '7'],
      '/health',
    );
    const load = `--streaming --request-rate ${rate} --isl 200 --osl 60 --benchmark-duration 10`;
    const { code } = await runServelens([
      ...['profile', '--model', MODEL, '--url', server.url, '--artifact-dir', join(folder, name)],
      ...`${load} --slice-duration 1 --random-seed 7`.split(' '),
    ]);
    await server.stop();
    expect(code).toBe(0);
  }

  async function compare(file: string, ...names: string[]): Promise<void> {
    const runs = names.map(name => (name.startsWith('--') ? name : join(folder, name)));
    const { code, stdout } = await runServelens(['read', 'compare', ...runs, '--html', file]);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(file);
  }

  async function open(
    file: string,
    options: Parameters<Browser['newPage']>[0],
    use: (page: Page) => Promise<void>,
  ): Promise<void> {
    const page = await browser.newPage(options);
    const problems = collectProblems(page);
    await page.goto(pathToFileURL(file).href);
    await page.locator('button.theme, noscript').first().waitFor({ state: 'attached' });
    await use(page);
    expect(problems).toEqual([]);
    await page.close();
  }

  const DESKTOP = { viewport: { width: 1400, height: 800 } };

  test('is smaller than 250 KB', () => {
    for (const file of [regression, otherLoad, several]) expect(statSync(file).size).toBeLessThan(MAX_BYTES);
  });

  test('shows what can be compared, the result and the first effects in the first 800 pixels', () =>
    open(regression, DESKTOP, async page => {
      expect(await page.locator('.sentence').textContent()).toMatch(/^● Comparable: SAME LOAD/);
      expect(await page.locator('.headline').textContent()).toMatch(/^Result: \S/);
      const row = page.locator('.effect-row', { hasText: 'inter_token_latency avg' }).first();
      expect(await row.locator('.effect-text').textContent()).toMatch(
        // On a busy machine, the noise can hide the change.
        /^(▲ worse|○ no evidence) [+-][\d.]+%( ±[\d.]+%)?$/,
      );
      const box = (await row.boundingBox())!;
      expect(box.y + box.height).toBeLessThan(800);
    }));

  test('says that the load differs before any effect', () =>
    open(otherLoad, DESKTOP, async page => {
      expect(await page.locator('.sentence').textContent()).toMatch(
        /^▲ Attention: NOT THE SAME LOAD: 10 → 20 requests\/s\./,
      );
      const text = (await page.locator('main').textContent())!;
      expect(text.indexOf('NOT THE SAME LOAD')).toBeLessThan(text.indexOf('Result:'));
    }));

  test('draws each run of several comparisons in the same charts, with its own color', () =>
    open(several, DESKTOP, async page => {
      const colors = await page
        .locator('#strip-latency path.line')
        .evaluateAll(paths => paths.map(path => /s-\w+/.exec(path.getAttribute('class')!)![0]));
      expect(colors).toEqual(['s-grey', 's-client', 's-server']);
      expect(await page.locator('#notes').textContent()).toMatch(/2 comparisons with one baseline/);
    }));

  test.each([
    ['with', true],
    ['without', false],
  ])('has no blank chart in a full-page picture %s scripts', async (_, javaScriptEnabled) => {
    const page = await browser.newPage({ ...DESKTOP, javaScriptEnabled });
    await page.goto(pathToFileURL(regression).href);
    if (javaScriptEnabled) {
      const drawings = (await page.evaluate(COUNT_DRAWINGS)) as readonly Drawing[];
      expect(drawings.length).toBeGreaterThan(20);
      expect(drawings.filter(({ paths, height }) => paths === 0 || height < 15)).toEqual([]);
    } else {
      expect(await page.locator('figure svg.drawing path.line').count()).toBeGreaterThan(12);
      expect(await page.locator('.effect-row').count()).toBeGreaterThan(10);
    }
    await page.close();
  });

  test('zooms all charts over time together', () =>
    open(regression, DESKTOP, async page => {
      const before = await readRanges(page);
      expect(before.size).toBe(1);
      await page.getByRole('button', { name: 'Zoom in' }).click();
      const after = await readRanges(page);
      expect(after.size).toBe(1);
      expect(after).not.toEqual(before);
    }));

  test('fits a phone, with the parts of an effect below each other', () =>
    open(several, { viewport: { width: 390, height: 844 } }, async page => {
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      const row = page.locator('.effect-row').first();
      const [name, text] = await Promise.all(
        ['.effect-name', '.effect-text'].map(async part => (await row.locator(part).boundingBox())!),
      );
      expect(text!.y).toBeGreaterThan(name!.y);
    }));

  test('prints all charts, without buttons', () =>
    open(regression, { viewport: { width: 1047, height: 718 } }, async page => {
      await page.emulateMedia({ media: 'print' });
      expect(await page.getByRole('button', { name: 'Zoom in' }).isVisible()).toBe(false);
      expect(await page.locator('.causes > li').first().isVisible()).toBe(true);
      const pdf = await page.pdf({ preferCSSPageSize: true });
      const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)!.length;
      expect(pages).toBeLessThanOrEqual(8);
    }));

  test('can be used by keyboard alone', () =>
    open(regression, DESKTOP, async page => {
      const reached: string[] = [];
      for (let presses = 0; presses < 40; presses++) {
        await page.keyboard.press('Tab');
        const name =
          "(document.activeElement.textContent || '').slice(0, 20) + ' ' + (document.activeElement.dataset.chart ?? '')";
        reached.push(String(await page.evaluate(name)));
      }
      for (const target of ['Skip to content', 'Dark mode', 'Zoom in', 'strip-ttft', 'As a table'])
        expect(reached.join('\n')).toContain(target);
    }));

  test.each(['light', 'dark'] as const)('has no accessibility issue according to axe, %s', colorScheme =>
    open(several, { ...DESKTOP, colorScheme }, async page => {
      for (const details of await page.locator('details').all())
        await details.evaluate(element => element.setAttribute('open', ''));
      expect(await findViolations(page)).toEqual([]);
    }),
  );

  test('writes its charts as pictures', async () => {
    const charts = join(folder, 'charts');
    const { code } = await runServelens([
      ...['read', 'compare', join(folder, 'main'), join(folder, 'branch'), '--svg', charts],
    ]);
    expect(code).toBe(0);
    expect(readFileSync(join(charts, 'effects.svg'), 'utf8')).toContain('Effects on the key metrics');
    expect(readFileSync(join(charts, 'strip-latency.svg'), 'utf8')).toMatch(/^<svg xmlns=/);
  });
});
