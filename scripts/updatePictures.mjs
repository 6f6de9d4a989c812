// Updates the screenshots of reports in docs/: npm run docs -- --pictures
//
// Each screenshot shows the report of a benchmark of a simulated server. Requires Debian's Chromium, and takes about
// two minutes on an idle machine.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { createDocsFolder, root } from './docsFolder.mjs';

/** The load of both runs of the comparison. */
const COMPARED_LOAD =
  'profile --model servelens/simulated-8b --tokenizer builtin --url localhost:8000 --streaming --request-rate 10 ' +
  '--benchmark-duration 20 --warmup-request-count 5 --isl 256 --osl 64 --slice-duration 1 --random-seed 1 --unique-prompts';

const SCREENSHOTS = [
  {
    file: 'report.png',
    size: { width: 1280, height: 1360 },
    run: 'llama-8b-rate-22',
    server: 'simulate --port 8000 --max-running 48 --kv-blocks 1050 --seed 7',
    client:
      'profile --model servelens/simulated-8b --tokenizer builtin --url localhost:8000 --streaming --request-rate 22 ' +
      '--benchmark-duration 24 --warmup-duration 6 --warmup-request-rate 6 --unique-prompts --isl 400 --osl 200 ' +
      '--slice-duration 1 --random-seed 7 --server-metrics-formats json jsonl',
  },
  {
    file: 'sweep.png',
    size: { width: 1280, height: 1360 },
    run: 'llama-8b-concurrency',
    server: 'simulate --port 8000 --seed 7',
    client:
      'profile --model servelens/simulated-8b --tokenizer builtin --url localhost:8000 --streaming --concurrency 1,4,16,64 ' +
      '--benchmark-duration 6 --benchmark-grace-period inf --isl 200 --osl 60 --num-profile-runs 5 --random-seed 7 --unique-prompts --goodput time_to_first_token:400',
  },
  {
    file: 'compare.png',
    size: { width: 1280, height: 900 },
    run: 'branch',
    server: 'simulate --port 8000 --speed 0.7 --seed 2',
    client: COMPARED_LOAD,
    base: { run: 'main', server: 'simulate --port 8000 --seed 1' },
  },
];

const executablePath = '/usr/bin/chromium';
if (!existsSync(executablePath)) {
  console.error(
    `cannot take screenshots: no Chromium at ${executablePath}; on Debian, install the chromium package`,
  );
  process.exit(1);
}
const { folder, runCommand, withServer } = createDocsFolder();
const browser = await chromium.launch({
  executablePath,
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
});
try {
  for (const screenshot of SCREENSHOTS) await takeScreenshot(screenshot);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Runs a benchmark, and another one to compare with if there is a base; writes the page and takes a screenshot of it.
 *
 * @param {{ file: string, size: { width: number, height: number }, run: string, server: string, client: string, base?: { run: string, server: string } }} screenshot
 */
async function takeScreenshot({ file, size, run, server, client, base }) {
  console.log(`running the benchmark for docs/${file}`);
  for (const each of [...(base ? [base] : []), { run, server }])
    await withServer(`servelens ${each.server}`, () =>
      runCommand(`servelens ${client} --artifact-dir ${each.run}`),
    );
  const command = base ? `compare ${base.run} ${run} --html page.html` : `report ${run} --output page.html`;
  console.log(runCommand(`servelens read ${command}`));
  const page = await browser.newPage({ viewport: size });
  await page.goto(pathToFileURL(join(folder, 'page.html')).href);
  await page.waitForTimeout(1000); // scripts adapt the charts to the window
  await page.screenshot({ path: join(root, 'docs', file) });
  await page.close();
}
