import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, test } from 'vitest';
import { openRun } from '../../../packages/analysis/dist/index.js';
import { runServelens } from './support/servelens.ts';
import { makeSuiteFolder } from './support/temporaryFolder.ts';

/** A run of AIPerf 0.13.0 with one request, three metrics, and all formats of server metrics. See its README. */
const INTACT = new URL('./files/aiperf-0.13-run/', import.meta.url).pathname.replace(/\/$/, '');
const JSON_FILE = 'server_metrics_export.json';
const CSV = 'server_metrics_export.csv';
const JSONL = 'server_metrics_export.jsonl';
const PARQUET = 'server_metrics_export.parquet';
const PROFILE = 'profile_export_aiperf.json';
const PROFILE_CSV = 'profile_export_aiperf.csv';
const REQUESTS = 'profile_export.jsonl';
const INPUTS = 'inputs.json';
const FILES = [JSON_FILE, CSV, JSONL, PARQUET, PROFILE, PROFILE_CSV, REQUESTS, INPUTS];

const folder = makeSuiteFolder();
const run = join(folder, 'run');
const output = join(folder, 'output');

beforeEach(() => {
  for (const path of [run, output]) rmSync(path, { recursive: true, force: true });
  cpSync(INTACT, run, { recursive: true });
});

/** Damages the files of a folder. */
type Damage = (folder: string) => void;

const remove =
  (...names: string[]): Damage =>
  root => {
    for (const name of names) rmSync(join(root, name), { recursive: true });
  };
const keep = (...names: string[]): Damage =>
  remove(...readdirSync(INTACT).filter(name => !names.includes(name)));
const cut =
  (name: string, share: number): Damage =>
  root =>
    truncateSync(join(root, name), Math.floor(readFileSync(join(root, name)).length * share));
/** Makes a file unreadable for all users, including the administrator: the path is a folder. */
const block =
  (name: string): Damage =>
  root => {
    rmSync(join(root, name));
    mkdirSync(join(root, name));
  };
const edit =
  (name: string, change: (text: string) => string): Damage =>
  root =>
    writeFileSync(join(root, name), change(readFileSync(join(root, name), 'utf8')));
const replaceLine = (name: string, position: number): Damage =>
  edit(name, text => {
    const lines = text.split('\n');
    lines[position] = '{"endpoint_url": ';
    return lines.join('\n');
  });
const both =
  (...damages: Damage[]): Damage =>
  root => {
    for (const damage of damages) damage(root);
  };
/** The folder of a run that was killed before AIPerf wrote its results. */
const KILLED = [JSONL, REQUESTS, INPUTS];

/** Damages that leave server metrics that can be read. */
const READABLE: Readonly<Record<string, Damage>> = {
  'was killed during the load': both(keep(...KILLED), cut(JSONL, 0.75), cut(REQUESTS, 0.5)),
  'was killed while the first export was written': both(keep(...KILLED, PARQUET), cut(PARQUET, 0)),
  'was killed while the last exports were written': both(
    ...[PROFILE, PROFILE_CSV, CSV].map(name => cut(name, 0)),
    remove(JSON_FILE),
  ),
  'has no profile export': remove(PROFILE, PROFILE_CSV),
  'has no requests': remove(REQUESTS),
  'has only a JSON export': keep(JSON_FILE),
  'has only a CSV export': keep(CSV),
  'has only a JSONL export': keep(JSONL),
  'has only a Parquet export': keep(PARQUET),
  'has no JSON export': remove(JSON_FILE),
  'has a JSONL export with an invalid line': replaceLine(JSONL, 4),
  'has a JSONL export with an invalid line, and no Parquet export': both(
    replaceLine(JSONL, 4),
    remove(PARQUET),
  ),
  'has a JSONL export that ends before profiling': edit(JSONL, text =>
    text.split('\n').slice(0, 2).join('\n'),
  ),
  'has a JSONL export that ends before profiling, and no Parquet export': both(
    edit(JSONL, text => text.split('\n').slice(0, 2).join('\n')),
    remove(PARQUET),
  ),
  'has a Parquet export of another kind': edit(PARQUET, () => 'PAR1 is text'),
  ...Object.fromEntries(
    FILES.flatMap(name => [
      ...[0, 0.02, 0.5, 0.97].map(share => [`has ${100 * share}% of ${name}`, cut(name, share)] as const),
      [`cannot read ${name}`, block(name)] as const,
    ]),
  ),
};

/** Damages that leave no server metrics. */
const UNREADABLE: Readonly<Record<string, Damage>> = {
  'has no server metrics': remove(JSON_FILE, CSV, JSONL, PARQUET),
  'has only requests, because all of them failed': keep(REQUESTS, INPUTS),
  'was killed before its first scrape': both(keep(...KILLED), cut(JSONL, 0), cut(REQUESTS, 0)),
  'was killed after its first scrape': both(
    keep(...KILLED),
    edit(JSONL, text => `${text.split('\n')[0]}\n`),
    cut(REQUESTS, 0),
  ),
  'was killed during the warm-up': both(
    keep(...KILLED),
    edit(JSONL, text => text.replaceAll('"benchmark_phase":"profiling"', '"benchmark_phase":"warmup"')),
    cut(REQUESTS, 0),
  ),
  'has only inputs': keep(INPUTS),
  'has empty files': both(...FILES.map(name => cut(name, 0))),
  'has no files': keep(),
};

const RULE = 'vllm:generation_tokens.total == 12';

/** The commands that read a run. `intact` is a run without damage, `damaged` the run to try. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  summary: ['read', 'summary', run],
  report: ['read', 'report', run, '--output', join(output, 'report.html')],
  check: ['read', 'check', run, '--assert', RULE],
  'compare, damaged on the left': ['read', 'compare', run, INTACT],
  'compare, damaged on the right': ['read', 'compare', INTACT, run],
  'compare, damaged on both sides': ['read', 'compare', run, run],
  query: ['read', 'query', run, 'SELECT count(*) AS n FROM samples'],
  validate: ['validate', run],
  export: ['export', run, '--formats', 'json', '--output', output],
};

/** Text that no user should see. */
const INTERNAL =
  /\n\s+at .+:\d+:\d+|\bBUG\b|\b(?:Type|Range|Reference|Syntax)Error\b|\bE(?:ISDIR|ACCES|NOENT)\b|\bNaN\b|\[object /;

async function runCommands(damage: Damage): Promise<Map<string, { code: number; out: string; err: string }>> {
  damage(run);
  const results = new Map();
  for (const [name, words] of Object.entries(COMMANDS)) {
    rmSync(output, { recursive: true, force: true });
    mkdirSync(output);
    const result = await runServelens(words, { cwd: folder });
    expect(result.out + result.err, name).not.toMatch(INTERNAL);
    expect([0, 1, 2], name).toContain(result.code);
    if (result.code !== 0) expect((result.out + result.err).trim(), name).not.toBe('');
    results.set(name, result);
  }
  return results;
}

/** Opens the run. Checks that each figure equals the figure of the intact run, is absent, or is an interval that contains it. */
async function checkFigures(): Promise<void> {
  const [opened, intact] = [await openRun(run), await openRun(INTACT)];
  const read = ({ families }: typeof intact, name: string) => families.get(name)?.series[0]?.stats;
  const [tokens, expected] = [
    read(opened, 'vllm:generation_tokens'),
    read(intact, 'vllm:generation_tokens')!,
  ];
  if (tokens) expect(tokens.total).toBe(expected.total);
  const requests = read(opened, 'request_count');
  if (requests) expect(requests.avg).toBe(1);
  const isExact = tokens?.rate !== undefined && Math.abs(tokens.rate / expected.rate! - 1) < 0.01;
  if (tokens && !isExact) expect(opened.notes.join('\n')).toMatch(/window|last scrape|scrapes after/);
}

describe('a run of AIPerf', () => {
  test('without damage is read by every command', async () => {
    const results = await runCommands(() => {});
    expect([...results].map(([name, { code }]) => [name, code])).toEqual(
      Object.keys(COMMANDS).map(name => [name, 0]),
    );
    await checkFigures();
  });

  test.each(Object.keys(READABLE))('that %s is read as far as possible', async name => {
    const results = await runCommands(READABLE[name]!);
    for (const command of [
      'summary',
      'report',
      'compare, damaged on the left',
      'compare, damaged on the right',
    ])
      expect(results.get(command), command).toMatchObject({ code: expect.toSatisfy(code => code < 2) });
    await checkFigures();
  });

  test.each(Object.keys(UNREADABLE))('that %s is refused or read without server metrics', async name => {
    const results = await runCommands(UNREADABLE[name]!);
    expect(results.get('check')!.code).toBe(2);
    expect(results.get('compare, damaged on the left')!.out).not.toMatch(/better|worse/);
    expect(results.get('export')).toMatchObject({ code: 2, err: expect.stringMatching(/^servelens: .+\n$/) });
  });
});
