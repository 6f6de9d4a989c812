/**
 * Measures the cost of `--push`: rounds of runs of `servelens profile` against a simulator, and of `servelens collect` of
 * prepared bodies. Each round runs without pushes, with a receiver that accepts values (by remote write and by OTLP), with
 * several and many receivers, and with one that is down, responds late, or does not respond. The order of the cases changes with each
 * round. Each case is compared with the run without pushes of the same round.
 *
 * `cpu_share` is the CPU time of the whole process, including its start and the exports, per second of the run.
 * `main_thread_cpu_share` is the CPU time of the main thread, which sends requests and scrapes. `loop_active_ms_per_s` is the
 * time when the main thread was busy, and `loop_delay` is the delay of its timers.
 *
 * Usage: npm run bench -- push [--rounds 5] [--seconds 20] [--rate 200] [--endpoints 20] [--command profile|collect]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { findFreePort } from '../bodies/bodyServer.ts';
import { generateVllmBodies } from '../bodies/vllmBodies.ts';
import { startServer } from '../loadgen/serverProcess.ts';
import { BodyServers } from '../scrape/bodyServers.ts';
import { compareCases } from './figures.ts';
import { orderCases, type ReceiverAddresses } from './pushCase.ts';
import {
  measureRun,
  type PushedCommand,
  type RunFigures,
  readLoadFigures,
  readScrapeFigures,
} from './pushedRun.ts';

const { rounds, seconds, rate, endpoints, command } = yargs(hideBin(argv))
  .option('rounds', { type: 'number', default: 5, describe: 'Number of rounds' })
  .option('seconds', { type: 'number', default: 20, describe: 'Duration of each run in seconds' })
  .option('rate', { type: 'number', default: 200, describe: 'Requests per second of profile' })
  .option('endpoints', { type: 'number', default: 20, describe: 'Number of endpoints of collect' })
  .option('command', { choices: ['profile', 'collect'] as const, describe: 'Measure only this command' })
  .strict()
  .parseSync();

const receiver = await startServer('../push/receiverProcess.js');
const addresses = { running: receiver.url, down: `http://127.0.0.1:${await findFreePort()}` };
try {
  if (command !== 'collect') await measureProfile(addresses);
  if (command !== 'profile') await measureCollect(addresses);
} finally {
  receiver.stop();
}

/** Measures the load generator, which sends requests to a simulator and scrapes it. */
async function measureProfile(addresses: ReceiverAddresses): Promise<void> {
  const simulator = await startServer('simulatorServer.js', '20', '256');
  const load = [
    '--request-rate',
    `${rate}`,
    '--benchmark-duration',
    `${seconds}`,
    '--isl',
    '20',
    '--osl',
    '8',
  ];
  const target = ['--model', 'm', '--tokenizer', 'builtin', '--url', simulator.url, '--streaming'];
  try {
    const args = ['profile', ...target, ...load, '--ui', 'none'];
    await measureCommand({ name: 'profile', args, readFigures: readLoadFigures }, addresses);
  } finally {
    simulator.stop();
  }
}

/** Measures the scraper. */
async function measureCollect(addresses: ReceiverAddresses): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'servelens-push-bodies-'));
  const bodies = [...generateVllmBodies(1, seconds)].map(({ body }) => body);
  const servers = await BodyServers.start(bodies, folder);
  const urls = Array.from({ length: endpoints }, (_, index) => servers.formatUrl(index));
  try {
    const args = ['collect', '--quiet', '--duration', `${seconds}`, '--server-metrics', ...urls];
    await measureCommand({ name: 'collect', args, readFigures: readScrapeFigures }, addresses);
  } finally {
    servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureCommand(pushed: PushedCommand, addresses: ReceiverAddresses): Promise<void> {
  const runs = new Map<string, RunFigures[]>();
  for (let round = 0; round < rounds; round++)
    for (const { name, listTargets } of orderCases(round)) {
      const figures = await measureRun(pushed, seconds, listTargets(addresses));
      runs.set(name, [...(runs.get(name) ?? []), figures]);
    }
  for (const figure of compareCases(runs))
    console.log(JSON.stringify({ bench: 'push', command: pushed.name, seconds, ...figure }));
}
