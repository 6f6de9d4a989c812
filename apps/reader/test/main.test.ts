import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import {
  counter,
  document,
  gauge,
  metric,
  temporaryFolder,
  toJson,
} from '../../../packages/analysis/test/documents.ts';
import { readerMain } from '../src/main.ts';

const { path: folder, remove } = temporaryFolder('main');
const empty = join(folder, 'empty');
mkdirSync(empty);
afterAll(remove);

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const written = { out: '', err: '' };
  const sink = (to: 'out' | 'err'): Writable =>
    new Writable({
      write(chunk, _, done) {
        written[to] += String(chunk);
        done();
      },
    });
  const code = await readerMain(args, {
    stdout: sink('out'),
    stderr: sink('err'),
    env: {},
    cwd: process.cwd(),
  });
  return { code, ...written };
}

const CSV =
  'Endpoint,Type,Metric,Unit,total,rate,rate_avg,rate_min,rate_max,rate_std,Description\nlocalhost:1,counter,vllm:generation_tokens,tokens,120,4,,,,,Tokens\n';

test('reads a file, or the folder that contains it', async () => {
  writeFileSync(join(folder, 'server_metrics_export.csv'), CSV);
  for (const name of [folder, join(folder, 'server_metrics_export.csv')]) {
    const { code, out } = await run('summary', name);
    expect(code).toBe(0);
    expect(out).toMatch(/generation_tokens\s+120\s+4/);
  }
});

test.each([
  [['summary', '/no/such'], /cannot read "\/no\/such": no such file or folder/],
  [['summary', empty], /contains no server metrics; expected server_metrics_export\.json or \.csv/],
  [['summary'], /see --help/],
  [['sumary', 'x'], /unknown command "sumary"; did you mean summary\?/],
  [['summary', empty, '--json=yes'], /invalid --json "yes": expected true, false or no value/],
  [['compare', empty, empty, '--exit-code=1'], /invalid --exit-code "1": expected true, false or no value/],
  [['check', empty, '--junit=no'], /invalid --junit "no": expected true, false or no value/],
  [[], /missing command/],
])('%j exits with 2 and a message', async (args, message) => {
  const { code, err } = await run(...args);
  expect(code).toBe(2);
  expect(err).toMatch(message);
  expect(err).not.toContain('    at ');
});

test('reads statistics that the schema does not list, with all digits', async () => {
  const file = join(folder, 'unknown.json');
  const series = counter(20, { stats: { mine: 9007199254740993n, mine_ns: 7n } });
  writeFileSync(file, toJson(document({ 'vllm:generation_tokens': metric('counter', [series]) })));
  const summary = await run('summary', file, '--json');
  expect(summary).toMatchObject({ code: 0, err: '' });
  expect(summary.out).toContain('"mine": 9007199254740993,');
  const compared = await run('compare', file, file, '--stat', 'mine', '--json');
  expect(JSON.parse(compared.out)).toMatchObject({ rows: [{ stat: 'mine', base: 9007199254740992 }] });
});

test('reports a broken file', async () => {
  const file = join(folder, 'broken.json');
  writeFileSync(file, '{"schema_version": "1.0", ');
  const { code, err } = await run('summary', file);
  expect(code).toBe(2);
  expect(err).toMatch(/^servelens-reader: /);
});

test.each<[string, Buffer, RegExp]>([
  ['a.parquet', Buffer.from('PAR1\0\0PAR1'), /cannot read ".*a\.parquet": [^\n]+\n$/],
  ['b.bin', Buffer.from([0xff, 0xfe, 0, 1]), /cannot read ".*b\.bin": neither JSON nor CSV\n$/],
  ['c.json', Buffer.of(), /^servelens-reader: /],
  ['d.jsonl', Buffer.from('{"a": 1}\n{"a": 2}\n'), /^servelens-reader: /],
])('reports the problem of %s', async (name, bytes, message) => {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  const { code, err } = await run('summary', file);
  expect(err).toMatch(message);
  expect(err).not.toContain('    at ');
  expect(code).toBe(2);
});

const slow = join(folder, 'slow.json');
const fast = join(folder, 'fast.json');
const rules = join(folder, 'gates.txt');
for (const [file, rate] of [
  [slow, 100],
  [fast, 200],
] as const) {
  const slices = [1.01, 0.99, 1.02, 0.98, 1.005, 0.995, 1.01, 0.99, 1, 1].map(part => rate * part);
  const metrics = {
    'vllm:generation_tokens': metric('counter', [counter(20 * rate, { slices })], 'tokens'),
    'vllm:kv_cache_usage_perc': metric('gauge', [gauge(0.9, { max: 0.99 })], 'ratio'),
  };
  writeFileSync(file, toJson(document(metrics)));
}
writeFileSync(rules, '"fast enough": vllm:generation_tokens.rate > 150\n');

test.each<[string[], number, RegExp]>([
  [['summary', slow], 0, /KV cache nearly full/],
  [
    ['summary', slow, '--no-finding', 'full-kv-cache', '--no-finding', 'client-bottleneck'],
    0,
    /^(?![\s\S]*KV cache nearly)/,
  ],
  [['summary', slow, '--threshold', 'full-kv-cache.usage=0.995'], 0, /^(?![\s\S]*KV cache nearly)/],
  [['summary', slow, '--json'], 0, /^\{\n {2}"run": /],
  [['summary', slow, '--markdown'], 0, /^## .*slow\.json\n/],
  [['summary', '--list-findings'], 0, /full-kv-cache {2}\(problem\)[\s\S]*usage=0\.9/],
  [['compare', fast, slow], 0, /^1 worse {2}/],
  [['compare', fast, slow, '--exit-code'], 1, /^1 worse {2}/],
  [['compare', slow, fast, '--exit-code'], 0, /^1 better {2}/],
  [['compare', slow, fast, fast, '--each', '--json'], 0, /^\[\n/],
  [['compare', slow, fast, fast, '--base-run', slow, '--markdown'], 0, /^### Server metrics: 1 better/],
  [['compare', slow, fast, '--metric', 'kv_cache', '--stat', 'max,avg'], 0, /2 untested|2 the same/],
  [['check', fast, '--rules', rules], 0, /✓ fast enough/],
  [['check', slow, '--rules', rules], 1, /✗ fast enough/],
  [['check', slow, '--assert', 'nope.avg < 1'], 2, /no metric nope/],
  [['check', slow, '--assert', 'vllm:generation_tokens.rate < baseline', '--baseline', fast], 0, /1 passed/],
  [['check', slow, '--rules', rules, '--junit'], 1, /^<\?xml/],
  [['check', slow, '--rules', rules, '--github'], 1, /^::error file=.*line=1/],
  [['check', slow, '--rules', rules, '--json'], 1, /"exit_code": 1/],
])('%j exits with %i', async (args, exit, text) => {
  const { code, out, err } = await run(...args);
  expect(err).toBe('');
  expect(out).toMatch(text);
  expect(code).toBe(exit);
});

test.each<[string[], RegExp]>([
  [['summary', slow, '--json', '--markdown'], /cannot use both --json and --markdown/],
  [
    ['summary', slow, '--no-finding', 'nope'],
    /--no-finding nope: unknown finding; expected one of growing-queue, /,
  ],
  [['summary', slow, '--threshold', 'full-kv-cache'], /expected ID\.NAME=NUMBER/],
  [['summary', slow, '--threshold', 'full-kv-cache.usage=high'], /expected a number/],
  [['summary', slow, '--threshold', 'full-kv-cache.use=1'], /the thresholds of full-kv-cache are usage/],
  [['summary', slow, '--threshold', 'idle-server.x=1'], /idle-server has no thresholds/],
  [['summary', slow, '--jsn'], /unknown option --jsn; did you mean --json\?/],
  [['compare', slow], /see --help/],
  [['compare', slow, fast, '--alpha', '2'], /invalid --alpha "2": expected a number from 0 to 1/],
  [
    ['compare', slow, fast, '--stat', 'nope'],
    /--stat nope: no series has this statistic; expected one of .*avg, /,
  ],
  [
    ['compare', slow, fast, '--metric', 'nope'],
    /--metric nope: no metric name of these runs contains this text/,
  ],
  [['compare', slow, fast, '--alpha', 'x'], /invalid --alpha "x": expected a number from 0 to 1/],
  [['compare', slow, fast, '--rollup', 'median'], /rollup/],
  [['compare', slow, join(folder, 'nope')], /no such file or folder/],
  [['check', slow], /missing rules; set --assert or --rules/],
  [['check', slow, '--rules', join(folder, 'nope.txt')], /cannot read the rules in/],
  [['check', slow, '--assert', 'a.avg <> 1'], /--assert: expected [\s\S]*\n {4}a\.avg <> 1\n {11}\^/],
  [['check', slow, '--assert', 'vllm:generation_tokens{x=~"("}.rate > 1'], /invalid regular expression/],
  [['check', slow, '--rules', rules, '--junit', '--github'], /cannot use both --junit and --github/],
])('%j exits with 2 and names the problem', async (args, message) => {
  const { code, out, err } = await run(...args);
  expect(err).toMatch(message);
  expect(err).not.toContain('    at ');
  expect([code, out]).toEqual([2, '']);
});

test('every command reports a broken file as the formats package does', async () => {
  const file = join(folder, 'wrong.json');
  writeFileSync(file, readFileSync(slow, 'utf8').replace('"avg":0.9', '"avg":null'));
  for (const args of [
    ['summary', file],
    ['compare', file, slow],
    ['compare', slow, file],
    ['check', file, '--rules', rules],
  ]) {
    const { code, err } = await run(...args);
    expect(err).toMatch(/stats\.avg is null; expected a number/);
    expect(code).toBe(2);
  }
});
