// Updates the screenshots of reports in docs/: npm run docs -- --pictures
//
// Each screenshot shows the report of a benchmark of a simulated server. Requires Debian's Chromium, and takes about
// two minutes on an idle machine.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { createDocsFolder, root } from './docsFolder.mjs';

const SCREENSHOTS = [
  {
    file: 'report.png',
    size: { width: 1280, height: 1360 },
    run: 'llama-8b-rate-22',
    server: 'simulate --port 8000 --max-running 48 --kv-blocks 1050 --seed 7',
    client:
      'profile --model servelens/simulated-8b --url localhost:8000 --streaming --request-rate 22 ' +
      '--benchmark-duration 24 --warmup-duration 6 --warmup-request-rate 6 --isl 400 --osl 200 ' +
      '--slice-duration 1 --random-seed 7 --server-metrics-formats json jsonl',
  },
  {
    file: 'sweep.png',
    size: { width: 1280, height: 1360 },
    run: 'llama-8b-concurrency',
    server: 'simulate --port 8000 --seed 7',
    client:
      'profile --model servelens/simulated-8b --url localhost:8000 --streaming --concurrency 1,4,16,64 ' +
      '--benchmark-duration 6 --benchmark-grace-period inf --isl 200 --osl 60 --num-profile-runs 5 --random-seed 7 --goodput time_to_first_token:400',
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

/** Runs a benchmark, writes its report and takes a screenshot of it. */
async function takeScreenshot({ file, size, run, server, client }) {
  console.log(`running the benchmark for docs/${file}`);
  await withServer(`servelens ${server}`, () => runCommand(`servelens ${client} --artifact-dir ${run}`));
  console.log(runCommand(`servelens read report ${run} --output page.html`));
  const page = await browser.newPage({ viewport: size });
  await page.goto(pathToFileURL(join(folder, 'page.html')).href);
  await page.waitForTimeout(1000); // scripts adapt the charts to the window
  await page.screenshot({ path: join(root, 'docs', file) });
  await page.close();
}
