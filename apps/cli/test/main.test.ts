import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test, vi } from 'vitest';
import { COMMANDS } from '../src/commands/commandTable.ts';
import { runServelens } from './support/servelens.ts';

const run = (args: readonly string[]) => runServelens(args, { cwd: tmpdir() });

test.each([['--help'], ['-h'], ['help']])('%s prints the help of the program', async word => {
  const { code, out } = await run([word]);
  expect(code).toBe(0);
  for (const { name } of COMMANDS) expect(out).toContain(name);
});

test.each([[['recover', '--help']], [['help', 'recover']], [['recover', 'run', '-h', '--unknown']]])(
  '%j prints the help of the command',
  async args => {
    const { code, out } = await run(args);
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: servelens recover /);
  },
);

test('--help after -- belongs to the command that is run', async () => {
  const command = [process.execPath, '-e', 'process.exit(process.argv.includes("--help") ? 9 : 0)', '--'];
  const { code } = await run(['collect', '--no-server-metrics', '--', ...command, '--help']);
  expect(code).toBe(9);
});

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  // yargs prints the version with console.log.
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  expect((await run(['--version'])).code).toBe(0);
  expect(log.mock.calls).toEqual([[version]]);
  log.mockRestore();
});

test.each([
  [[], /missing command; see --help/],
  [['colect'], /unknown command "colect"; did you mean collect\?/],
  [['foo'], /unknown command "foo"; see --help/],
  [['collect', '--url', 'a:1', '--'], /missing command after --/],
  [['collect', '--no-server-metrics', '--'], /missing command after --/],
  [
    ['collect', '--url', 'a:1', '--quiet', 'sleep', '1'],
    /unexpected argument "sleep"; a command must follow --/,
  ],
  [['collect', '--url', 'a:1', '--server-metrics-formats'], /--server-metrics-formats requires a value/],
  [['recover', 'x', '--server-metrics-formats'], /--server-metrics-formats requires a value/],
  [
    ['collect', '--server-metrcs', 'a:1'],
    /^servelens: unknown option --server-metrcs; did you mean --server-metrics\?$/m,
  ],
  [
    ['profile', '--model', 'm', '--concurency', '4'],
    /unknown option --concurency; did you mean --concurrency\?/,
  ],
  [['recover', 'x', '--slice', '4'], /unknown option --slice; see --help/],
  [['collect', '--server-metrics'], /--server-metrics requires a value/],
  [
    ['collect', '--server-metrics', 'a:1', '--server-metrics-formats', 'xml'],
    /invalid --server-metrics-formats "xml": expected one of "json", "csv", "jsonl", "parquet"; see --help/,
  ],
  [
    ['export', 'x', '--formats', 'json,xml'],
    /invalid --formats "xml": expected one of "json", "csv", "jsonl"/,
  ],
  [
    ['collect', '--url', 'a:1', '--percentile-method', 'magic'],
    /invalid --percentile-method "magic": expected one of "moments"/,
  ],
  [['simulate', '--seed', 'x'], /invalid --seed "x": expected a number/],
  [['simulate', '--port', '99999'], /invalid --port 99999: expected a port from 0 to 65535/],
  [['simulate', '--port', '1', '--port', '2'], /--port is set 2 times, to 1 and 2/],
  [['simulate', '--kind', 'llama'], /invalid --kind "llama": expected one of "vllm"/],
  [['simulate', '--fault', 'nonsense:x=1'], /nonsense/],
  [['validate'], /missing argument; expected validate FILES\.\.\.; see --help/],
  [['validate', 'x', '--json', '--junit'], /mutually exclusive/],
])('rejects %j and exits with 2', async (args, message) => {
  const { code, err } = await run(args);
  expect(code).toBe(2);
  expect(err).toMatch(/^servelens: /);
  expect(err).toMatch(message);
  expect(err).not.toContain('    at ');
});

test.each([
  [['collect', '--url', 'a:1', '--insecure=yes'], 'invalid --insecure "yes"'],
  [['collect', '--url', 'a:1', '-q=1'], 'invalid -q "1"'],
  [['profile', '-m', 'm', '--streaming=on'], 'invalid --streaming "on"'],
  [['profile', '-m', 'm', '--vary-seed-per-trial=yes'], 'invalid --vary-seed-per-trial "yes"'],
  [['validate', 'x.json', '--strict=yes'], 'invalid --strict "yes"'],
  [['recover', '/no/such', '--parquet-partition=no'], 'invalid --parquet-partition "no"'],
  [['export', '/no/such', '--parquet-partition=0'], 'invalid --parquet-partition "0"'],
  [['simulate', '--truth=yes'], 'invalid --truth "yes"'],
  [['read', 'summary', '/no/such', '--json=yes'], 'invalid --json "yes"'],
])('rejects the flag value of %j', async (args, message) => {
  const { code, err } = await run(args);
  expect(code).toBe(2);
  expect(err).toContain(message);
});
