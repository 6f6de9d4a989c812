import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type CommandResult, runServelens } from '../servelens.ts';
import { type Service, startService } from '../service.ts';
import { root } from '../source.ts';
import { collectProblems, startChromium } from './chromium.ts';
import { findViolations, openPage, readRanges, unfold } from './reportPage.ts';

const MODEL = 'servelens/simulated-8b';
/** The maximum time to wait for a state of the page, in milliseconds. The machine may be busy. */
const PATIENT = { timeout: 60_000 };
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\/[\w-]+\//;

/** A run whose page is served while it is active. */
interface WebRun {
  readonly url: string;
  readonly result: Promise<CommandResult>;
  /** Ends the run early. */
  interrupt(): void;
}

/** Starts a command with `--web`, and waits until it has printed the address of the page. */
async function startWebRun(args: readonly string[]): Promise<WebRun> {
  let interrupt = (): void => {};
  const interrupted = new Promise<void>(resolve => {
    interrupt = resolve;
  });
  let result: Promise<CommandResult> | undefined;
  const url = await new Promise<string>((resolve, reject) => {
    const onStderr = (text: string): void => {
      const found = ADDRESS.exec(text)?.[0];
      if (found !== undefined) resolve(found);
    };
    result = runServelens(args, { interrupt: interrupted, onStderr });
    result.then(({ stderr }) => reject(new Error(`no address was printed: ${stderr}`)), reject);
  });
  return { url, result: result!, interrupt };
}

const readTiles = (page: Page): Promise<string> =>
  page
    .locator('.tile')
    .allTextContents()
    .then(texts => texts.join('|'));

const waitForState = (page: Page, text: string): Promise<void> =>
  expect.poll(() => page.locator('#live-state').textContent(), PATIENT).toContain(text);

describe.skipIf(!inject('runs'))('the page of an active run, in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'live-page-'));
  let browser: Browser;
  let server: Service;
  /** The folder of the profile run. */
  let profiled: string;

  beforeAll(async () => {
    const bin = join(root, 'apps/cli/bin/servelens.js');
    server = await startService(
      process.execPath,
      port => [bin, 'simulate', '--model', MODEL, '--port', String(port), '--seed', '7'],
      '/health',
    );
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(url: string, use: (page: Page) => Promise<void>): Promise<void> {
    const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
    const problems = collectProblems(page);
    await page.goto(url);
    await use(page);
    // The page closes its events at the end of a run, which Chromium reports as a failed request.
    expect(problems.filter(text => !text.startsWith(`cannot load ${url}events`))).toEqual([]);
    await page.close();
  }

  /** Saves the report as a user does, and checks that it is the static page of the run. */
  async function saveReport(page: Page, name: string, tiles: number): Promise<void> {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save report' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('server_metrics_report.html');
    const file = join(folder, name);
    await download.saveAs(file);
    const saved = await browser.newPage();
    const problems = collectProblems(saved);
    await openPage(saved, file);
    expect(saved.url()).toBe(pathToFileURL(file).href);
    expect(await saved.locator('#live').count()).toBe(0);
    expect(await saved.locator('.tile').count()).toBe(tiles);
    expect(problems).toEqual([]);
    await saved.close();
  }

  test('shows a profile run while it is active, and its final state', async () => {
    profiled = mkdtempSync(join(folder, 'profile-'));
    const run = await startWebRun([
      ...['profile', '--model', MODEL, '--url', server.url, '--artifact-dir', profiled],
      ...'--streaming --concurrency 4 --isl 100 --osl 40 --warmup-duration 6'.split(' '),
      ...'--benchmark-duration 45 --web 0 --quiet'.split(' '),
    ]);
    await open(run.url, async page => {
      await waitForState(page, 'Profiling.');
      await expect.poll(() => page.locator('#client').count(), PATIENT).toBe(1);
      const before = await readTiles(page);
      await unfold(page, 'series');
      const filter = page.locator('#series-table-filter');
      await filter.fill('running');
      await page.getByRole('button', { name: 'Dark mode' }).click();
      await page.getByRole('button', { name: 'Zoom in' }).click();
      const ranges = await readRanges(page);
      await filter.focus();
      await expect.poll(() => readTiles(page), PATIENT).not.toBe(before);
      expect(await filter.inputValue()).toBe('running');
      expect(await page.evaluate('document.activeElement.id')).toBe('series-table-filter');
      expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
      expect(await readRanges(page)).toEqual(ranges);
      expect(ranges.size).toBe(1);
      expect(await page.locator('#live-age').textContent()).toMatch(/^The data is \d+ s old\./);
      expect(await findViolations(page)).toEqual([]);
      await saveReport(page, 'running.html', 8);
      run.interrupt();
      await waitForState(page, 'The run has ended.');
      expect(await page.locator('#live-age').textContent()).toBe('');
      const { stderr } = await run.result;
      expect(stderr).toContain('page of this run:');
      await expect
        .poll(() => page.getByRole('link', { name: 'Save report' }).getAttribute('href'), PATIENT)
        .toMatch(/^blob:/);
      await saveReport(page, 'ended.html', 8);
      expect(await findViolations(page)).toEqual([]);
    });
  }, 180_000);

  test('shows the runs of a sweep one after the other', async () => {
    const run = await startWebRun([
      ...[
        'profile',
        '--model',
        MODEL,
        '--url',
        server.url,
        '--artifact-dir',
        mkdtempSync(join(folder, 'sweep-')),
      ],
      ...'--streaming --concurrency 1,2 --isl 50 --osl 20 --benchmark-duration 12 --web 0 --quiet'.split(' '),
    ]);
    await open(run.url, async page => {
      const readTitle = (): Promise<string | null> => page.locator('h1').textContent();
      for (const name of ['concurrency_1', 'concurrency_2']) {
        await expect.poll(readTitle, PATIENT).toMatch(new RegExp(`${name}$`));
        expect(await page.title()).toContain(name);
      }
      await waitForState(page, 'The run has ended.');
    });
    expect((await run.result).code).toBe(0);
  }, 180_000);

  test('shows a collect run in two browsers', async () => {
    const run = await startWebRun([
      ...[
        'collect',
        '--url',
        server.url,
        '--artifact-dir',
        mkdtempSync(join(folder, 'collect-')),
        '--duration',
        '120',
      ],
      ...['--server-metrics-formats', 'json', 'parquet', '--web', '0'],
    ]);
    await Promise.all(
      [0, 1].map(() =>
        open(run.url, async page => {
          await waitForState(page, 'Profiling.');
          await expect.poll(() => page.locator('.tile').count(), PATIENT).toBeGreaterThan(0);
          const before = await page.locator('#live-age').textContent();
          await expect.poll(() => page.locator('#subtitle').textContent(), PATIENT).toMatch(/\d s$/);
          expect(before).not.toBe('');
        }),
      ),
    );
    run.interrupt();
    await run.result;
  }, 120_000);

  test('watch serves the final page of a run that has ended, until Ctrl-C', async () => {
    const run = await startWebRun(['watch', profiled]);
    await open(run.url, async page => {
      await waitForState(page, 'The run has ended. This is its final state.');
      expect(await page.locator('.tile').count()).toBe(8);
      await saveReport(page, 'watched.html', 8);
    });
    run.interrupt();
    expect((await run.result).code).toBe(0);
  }, 120_000);
});
