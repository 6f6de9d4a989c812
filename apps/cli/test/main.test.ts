import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Command, NestedProgram } from '@org/terminal/program';
import { describe, expect, test } from 'vitest';
import { main, PROGRAM } from '../src/main.ts';
import { VARIABLES } from '../src/options/environment.ts';
import { createIo } from './support/io.ts';
import { runServelens } from './support/servelens.ts';

const run = (args: readonly string[]) => runServelens(args, { cwd: tmpdir() });

/**
 * Lists all commands, including commands of nested programs. Omits `simulate`, which is only loaded from the
 * built program.
 */
async function listCommands(): Promise<[name: string, command: Command][]> {
  const list = async (prefix: string, { commands }: NestedProgram): Promise<[string, Command][]> => {
    const lists = commands.map(async ({ name, load }): Promise<[string, Command][]> => {
      if (`${prefix}${name}` === 'simulate') return [];
      const loaded = await load();
      return 'commands' in loaded ? list(`${name} `, loaded) : [[`${prefix}${name}`, loaded]];
    });
    return (await Promise.all(lists)).flat();
  };
  return list('', PROGRAM);
}

const ALL_COMMANDS = await listCommands();

describe('help', () => {
  test('lists the commands', async () => {
    const { code, out } = await run(['--help']);
    expect(code).toBe(0);
    for (const { name } of PROGRAM.commands) expect(out).toMatch(new RegExp(`^  ${name}  `, 'm'));
  });

  test('lists the commands of a group', async () => {
    const { code, out } = await run(['help', 'config']);
    expect(code).toBe(0);
    expect(out).toMatch(/^ {2}check {2}/m);
    expect(out).not.toContain('simulate');
  });

  test('of collect has groups, examples and defaults', async () => {
    const { out } = await run(['collect', '--help']);
    for (const group of ['Server metrics', 'Connection', 'Phases', 'Output', 'Display', 'Examples'])
      expect(out).toMatch(new RegExp(`^${group}:$`, 'm'));
    expect(out).toMatch(/--server-metrics-formats FORMAT\.\.\.[\s\S]*\[default: json csv parquet\]/);
    expect(out).toMatch(/--percentile-method METHOD[\s\S]*moments,\s+polynomial,\s+linear/);
  });

  test('of collect lists the environment variables', async () => {
    const { out } = await run(['collect', '--help']);
    for (const { name, description } of VARIABLES) {
      expect(out).toContain(name);
      expect(out).toContain(description);
    }
  });

  const pages = [...ALL_COMMANDS.map(([name]) => name), 'profile --help all', 'profile --help load'];

  test.each(pages)('of %s fits into 80 columns', async page => {
    const io = createIo(tmpdir());
    Object.assign(io.stdout, { isTTY: true, columns: 80 });
    const name = page.replace(/ --help.*/, '');
    expect(await main([...page.split(' '), ...(page === name ? ['--help'] : [])], io)).toBe(0);
    const lines = io.out.join('').split('\n');
    expect(lines[0]).toContain(`Usage: servelens ${name}`);
    expect(lines.filter(line => line.length > 80)).toEqual([]);
  });

  test.each(ALL_COMMANDS)(
    'of %s has descriptions without a full stop, and placeholders in capitals',
    (_name, { optionGroups }) => {
      for (const { options } of optionGroups)
        for (const [option, { description, placeholder }] of Object.entries(options)) {
          expect(description, option).toMatch(/^[A-Z].*[^.]$/);
          if (placeholder) expect(placeholder, option).not.toMatch(/[a-z]{2}(?<!none)$/);
        }
    },
  );

  test.each(ALL_COMMANDS)('of %s has complete command lines as examples', (name, { examples }) => {
    expect(examples.length).toBeGreaterThan(0);
    for (const { command } of examples) expect(command.startsWith(`servelens ${name}`)).toBe(true);
  });
});

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect((await run(['--version'])).out).toBe(`${version}\n`);
});

test('passes --help after -- to the command', async () => {
  const script = 'process.exit(process.argv.includes("--help") ? 9 : 0)';
  const { code } = await run([
    'collect',
    '--no-server-metrics',
    ...['--', process.execPath, '-e', script, '--', '--help'],
  ]);
  expect(code).toBe(9);
});

test.each([
  [[], /missing command; expected servelens COMMAND/],
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
  [['simulate', '--seed', 'x'], /invalid --seed "x": expected a number/],
  [['simulate', '--port', '99999'], /invalid --port "99999": expected an integer from 0 to 65535/],
  [['simulate', '--port', '1', '--port', '2'], /--port is set 2 times, to "1" and "2"/],
  [
    ['collect', '--server-metrcs', 'a:1'],
    /^servelens: unknown option --server-metrcs; did you mean --server-metrics\?$/m,
  ],
  [
    ['profile', '--model', 'm', '--concurency', '4'],
    /unknown option --concurency; did you mean --concurrency\?/,
  ],
  [['recover', 'x', '--slice', '4'], /unknown option --slice; see --help/],
  [['collect', '--server-metrics'], /nothing to scrape; set --server-metrics or --url/],
  [
    ['collect', '--server-metrics', 'a:1', '--server-metrics-formats', 'xml'],
    /invalid --server-metrics-formats "xml": expected one of json, csv, jsonl, parquet$/m,
  ],
  [['export', 'x', '--formats', 'json,xml'], /invalid --formats "xml": expected one of json, csv, jsonl/],
  [
    ['collect', '--url', 'a:1', '--percentile-method', 'magic'],
    /invalid --percentile-method "magic": expected one of moments/,
  ],
  [['simulate', '--kind', 'llama'], /invalid --kind "llama": expected one of vllm/],
  [['simulate', '--fault', 'nonsense:x=1'], /nonsense/],
  [['validate'], /missing PATH; expected servelens validate \[options\] PATH\.\.\.; see --help/],
  [['validate', 'x', '--json', '--junit'], /cannot use both --json and --junit/],
])('rejects %j and exits with 2', async (args, message) => {
  const { code, err } = await run(args);
  expect(code).toBe(2);
  expect(err).toMatch(/^servelens: /);
  expect(err).toMatch(message);
  expect(err).not.toContain('    at ');
});

test.each([
  [['collect', '--url', 'a:1', '--insecure=on'], 'invalid --insecure "on"'],
  [['collect', '--url', 'a:1', '-q=1'], 'invalid -q "1"'],
  [['profile', '-m', 'm', '--streaming=on'], 'invalid --streaming "on"'],
  [['profile', '-m', 'm', '--vary-seed-per-trial=on'], 'invalid --vary-seed-per-trial "on"'],
  [['validate', 'x.json', '--strict=on'], 'invalid --strict "on"'],
  [['recover', '/no/such', '--parquet-partition=off'], 'invalid --parquet-partition "off"'],
  [['export', '/no/such', '--parquet-partition=2'], 'invalid --parquet-partition "2"'],
  [['simulate', '--truth=on'], 'invalid --truth "on"'],
  [['read', 'summary', '/no/such', '--json=on'], 'invalid --json "on"'],
])('rejects the flag value of %j', async (args, message) => {
  const { code, err } = await run(args);
  expect(code).toBe(2);
  expect(err).toContain(message);
});
