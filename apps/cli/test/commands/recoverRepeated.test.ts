import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProfileAggregate, type ProfileExport, type ProfileSweep, validate } from '@org/formats';
import { PLAN_JOURNAL } from '@org/run';
import { createSimulator, type Simulator } from '@org/simulator';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../../src/main.ts';
import { testIo } from '../io.ts';
import { killedProfile, linesIn, PATIENCE_MS } from '../profile/killed.ts';
import { blockOf, FAST, MODEL } from '../profile/support.ts';

const SHORT = [
  ...['--streaming', '--isl', '20', '--osl', '12', '--use-server-token-count'],
  ...['--server-metrics-formats', 'json'],
];
const TWELVE = [...SHORT, '--request-count', '12', '--vary-seed-per-trial'];

let simulator: Simulator;
let url = '';
let root = '';
beforeAll(async () => {
  simulator = createSimulator({ seed: 4 });
  ({ url } = await simulator.listen(0));
  root = mkdtempSync(join(tmpdir(), 'several-'));
});
afterAll(async () => {
  await simulator.close();
  rmSync(root, { recursive: true, force: true });
});

const json = <T>(...path: string[]): T => JSON.parse(readFileSync(join(root, ...path), 'utf8')) as T;

async function recovered(folder: string): Promise<{ code: number; err: string; out: string }> {
  const io = testIo(root);
  const code = await main(['recover', folder], io);
  return { code, err: io.err.join(''), out: io.out.join('') };
}

describe('repeated runs whose third run is killed', () => {
  const folder = (): string => join(root, 'runs');
  const run = (n: number): string => join(folder(), 'profile_runs', `run_000${n}`);
  let said = '';
  beforeAll(async () => {
    const args = [...TWELVE, '--num-profile-runs', '4', '--profile-export-prefix', 'p'];
    const isTime = (): boolean => {
      const requests = join(run(3), 'p.jsonl');
      return existsSync(requests) && readFileSync(requests, 'utf8').includes('\n');
    };
    await killedProfile(url, folder(), args, isTime);
    const { code, err } = await recovered(folder());
    expect(code, err).toBe(0);
    said = err;
  }, PATIENCE_MS);

  test('have an aggregate of the two complete runs', async () => {
    const path = join(folder(), 'aggregate', 'profile_export_aiperf_aggregate.json');
    const aggregate = json<ProfileAggregate>(path.slice(root.length));
    expect((await validate(path)).issues).toEqual([]);
    expect(aggregate.metadata).toMatchObject({
      num_profile_runs: 3,
      run_labels: ['run_0001', 'run_0002'],
      failed_runs: [{ label: 'run_0003', error: 'killed' }],
      was_cancelled: true,
    });
    const each = [1, 2].map(n => json<ProfileExport>('runs/profile_runs', `run_000${n}`, 'p.json'));
    const latencies = each.map(document => blockOf(document, 'request_latency').avg!);
    expect(aggregate.metrics.request_latency_avg!.mean).toBeCloseTo((latencies[0]! + latencies[1]!) / 2, 9);
    expect(Object.keys(aggregate.server_metrics!)).toContain('vllm:request_success');
    const collated = json<{ metrics: Record<string, { combined: { count: number } }> }>(
      'runs/aggregate/profile_export_aiperf_collated.json',
    );
    expect(collated.metrics.request_latency!.combined.count).toBe(24);
  });

  test('have the exports of the killed run, with a warning', async () => {
    const document = json<ProfileExport>('runs/profile_runs/run_0003/p.json');
    expect(document).toMatchObject({ was_cancelled: true, run_info: { run_label: 'run_0003', trial: 2 } });
    expect((await validate(join(run(3), 'p_server_metrics.json'))).valid).toBe(true);
    expect(said).toMatch(/recovering runs\/profile_runs\/run_0003\n.*requests?, killed/);
    expect(said).toContain('2 of 4 runs are complete');
    expect(existsSync(run(4))).toBe(false);
  });

  test('allow to recover the killed run alone; the others have no journal', async () => {
    expect((await recovered(run(3))).code).toBe(0);
    const { code, err } = await recovered(run(1));
    expect([code, err]).toEqual([2, expect.stringContaining('no journal in')]);
    writeFileSync(join(run(2), 'server_metrics.journal'), 'none');
    const broken = await recovered(folder());
    expect([broken.code, broken.err]).toEqual([
      1,
      expect.stringMatching(/server_metrics\.journal.*\n.*run_0003/),
    ]);
    expect(broken.err).toContain('2 of 4 runs are complete');
    rmSync(join(run(2), 'server_metrics.journal'));
  });

  test('can be named by their folder or plan, and recovered without a plan', async () => {
    const plan = join(folder(), PLAN_JOURNAL);
    const byPlan = await recovered(plan);
    expect([byPlan.code, byPlan.err]).toEqual([0, expect.stringContaining('2 of 4 runs are complete')]);
    const text = readFileSync(plan);
    for (const [content, why] of [
      ['garbage', 'contains no plan: cannot read the journal'],
      [text.subarray(0, 100), 'contains no plan'],
    ] as const) {
      writeFileSync(plan, content);
      const broken = await recovered(folder());
      expect([broken.code, broken.err]).toEqual([0, expect.stringContaining(`${PLAN_JOURNAL} ${why}`)]);
    }
    rmSync(plan);
    const without = await recovered(folder());
    expect([without.code, without.err]).toEqual([0, expect.stringContaining('is not in this folder')]);
    writeFileSync(plan, text);
  });

  test('are not changed if an option is invalid', async () => {
    const path = join(folder(), 'aggregate', 'profile_export_aiperf_aggregate.json');
    const before = statSync(path).ino;
    const io = testIo(root);
    expect(await main(['recover', folder(), '--slice-duration', 'long'], io)).toBe(2);
    expect(io.err.join('')).toMatch(/^servelens: invalid --slice-duration "long": .*\n$/);
    expect(statSync(path).ino).toBe(before);
  });
});

describe('unreadable runs', () => {
  const folder = (): string => join(root, 'odd');
  const run = (n: number): string => join(folder(), 'profile_runs', `run_000${n}`);
  beforeEach(() => mkdirSync(run(1), { recursive: true }));
  afterEach(() => rmSync(folder(), { recursive: true }));

  test('are reported one by one, like an unreadable plan', async () => {
    writeFileSync(run(2), 'a file where a folder should be');
    mkdirSync(join(folder(), PLAN_JOURNAL));
    const { code, err } = await recovered(folder());
    expect(code).toBe(1);
    expect(err).toMatch(/cannot read folder .*run_0002/);
    expect(err).toContain(`no aggregates: cannot read ${PLAN_JOURNAL}: it is a folder`);
  });

  test('without a journal are reported together with the problem of the plan', async () => {
    writeFileSync(join(folder(), PLAN_JOURNAL), 'garbage');
    const { code, err } = await recovered(folder());
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/no run in .*odd" has a journal, .*it is not a Servelens journal/),
    ]);
  });
});

test(
  'reports that runs are still active during a cool-down',
  async () => {
    const folder = join(root, 'pausing');
    const first = join(folder, 'profile_runs', 'run_0001', 'profile_export_aiperf.json');
    const args = ['--num-profile-runs', '2', '--profile-run-cooldown-seconds', '1000'];
    let code: number | undefined;
    let said = '';
    let isAsked = false;
    await killedProfile(
      url,
      folder,
      [...SHORT, '--request-count', '4', '--vary-seed-per-trial', ...args],
      () => {
        const journal = join(folder, 'profile_runs', 'run_0001', 'server_metrics.journal');
        if (!isAsked && existsSync(first) && !existsSync(journal)) {
          isAsked = true;
          void recovered(folder).then(answer => {
            said = answer.err;
            code = answer.code;
          });
        }
        return code !== undefined;
      },
    );
    expect(said).toContain('the runs in pausing are still active; exporting their data so far');
    expect(said).toContain('1 of 2 runs are complete');
    expect((await recovered(folder)).err).not.toContain('still active');
  },
  PATIENCE_MS,
);

test(
  'a sweep killed in its second variation keeps the first one',
  async () => {
    const folder = join(root, 'sweep');
    const second = join(folder, 'variation_0001_concurrency_2');
    await killedProfile(
      url,
      folder,
      [...SHORT, '--request-count', '24', '--concurrency', '3,2,1'],
      () => linesIn(second) > 0,
    );
    const { code, err, out } = await recovered(folder);
    expect(code, err).toBe(0);
    const path = join(folder, 'sweep_aggregate', 'profile_export_aiperf_sweep.json');
    expect((await validate(path)).issues).toEqual([]);
    const sweep = json<ProfileSweep>('sweep/sweep_aggregate/profile_export_aiperf_sweep.json');
    expect(sweep).toMatchObject({
      num_profile_runs: 2,
      num_successful_runs: 1,
      failed_runs: [{ label: 'concurrency_2/run_0001', error: 'killed' }],
      metadata: { was_cancelled: true, sweep_parameters: [{ name: 'concurrency', values: [3, 2, 1] }] },
    });
    const first = json<ProfileExport>('sweep/variation_0000_concurrency_3/profile_export_aiperf.json');
    expect(sweep.metadata.sweep_id).toBe(first.run_info!.sweep_id);
    const throughput = sweep.per_combination_metrics[0]!.metrics.request_throughput_avg!.mean;
    expect(throughput).toBe(blockOf(first, 'request_throughput').avg);
    expect(out).toMatch(/concurrency_3 +1 .*\n/);
    expect(readFileSync(join(folder, PLAN_JOURNAL), 'latin1')).not.toContain('artifact-dir');
  },
  PATIENCE_MS,
);

test(
  'completed runs leave no plan, so there is nothing to recover',
  async () => {
    const io = testIo(root, FAST);
    const args = ['profile', '--model', MODEL, '--url', url, '--artifact-dir', 'whole', ...TWELVE];
    expect(await main([...args, '--num-profile-runs', '2', '--concurrency', '4'], io), io.err.join('')).toBe(
      0,
    );
    expect(readdirSync(join(root, 'whole')).sort()).toEqual(['aggregate', 'profile_runs']);
    const { code, err } = await recovered(join(root, 'whole'));
    expect([code, err]).toEqual([2, expect.stringContaining('contains 2 runs and no journal')]);
  },
  PATIENCE_MS,
);
