import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Command, NestedProgram } from '@org/terminal/program';
import { expect, test } from 'vitest';
import { main, PROGRAM } from '../src/main.ts';
import { VARIABLES } from '../src/options/environment.ts';
import { testIo } from './io.ts';

/** Runs the built program, in which `simulate` is bundled. */
function built(args: readonly string[], input = ''): { code: number | null; out: string; err: string } {
  const bin = fileURLToPath(new URL('../bin/servelens.js', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { input, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

/** Runs a command and returns its output. */
async function printed(...args: string[]): Promise<{ code: number; text: string; err: string }> {
  const io = testIo(tmpdir());
  const code = await main(args, io);
  return { code, text: io.out.join(''), err: io.err.join('') };
}

/** Lists all commands, with those of nested programs. `simulate` must be built. */
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

test('--help lists the commands', async () => {
  const { code, text } = await printed('--help');
  expect(code).toBe(0);
  for (const { name } of PROGRAM.commands) expect(text).toMatch(new RegExp(`^  ${name}  `, 'm'));
});

test('collect --help has groups, examples and defaults', async () => {
  const { text } = await printed('collect', '--help');
  for (const group of ['Server metrics', 'Connection', 'Phases', 'Output', 'Display', 'Examples'])
    expect(text).toMatch(new RegExp(`^${group}:$`, 'm'));
  expect(text).toMatch(/--server-metrics-formats FORMAT\.\.\.[\s\S]*\[default: json csv parquet\]/);
  expect(text).toMatch(/--percentile-method METHOD[\s\S]*moments,\s+polynomial,\s+linear/);
});

test.each(ALL_COMMANDS.map(([name]) => name))('%s --help fits into 80 columns', async name => {
  const io = testIo(tmpdir());
  Object.assign(io.stdout, { isTTY: true, columns: 80 });
  expect(await main([...name.split(' '), '--help'], io)).toBe(0);
  const lines = io.out.join('').split('\n');
  expect(lines[0]).toContain(`Usage: servelens ${name}`);
  expect(lines.filter(line => line.length > 80)).toEqual([]);
});

test.each(ALL_COMMANDS)('all options of %s have a description in plain style', (_name, { optionGroups }) => {
  for (const { options } of optionGroups)
    for (const [option, { description, placeholder }] of Object.entries(options)) {
      expect(description, option).toMatch(/^[A-Z].*[^.]$/);
      if (placeholder) expect(placeholder, option).not.toMatch(/[a-z]{2}(?<!none)$/);
    }
});

test.each(ALL_COMMANDS)('%s has whole command lines as examples', (name, { examples }) => {
  expect(examples.length).toBeGreaterThan(0);
  for (const { command } of examples) expect(command.startsWith(`servelens ${name}`)).toBe(true);
});

test('help config lists the commands of the group', async () => {
  const { code, text } = await printed('help', 'config');
  expect(code).toBe(0);
  expect(text).toMatch(/^ {2}check {2}/m);
  expect(text).not.toContain('simulate');
});

test('collect --help lists the environment variables', async () => {
  const { text } = await printed('collect', '--help');
  for (const { name, description } of VARIABLES) {
    expect(text).toContain(name);
    expect(text).toContain(description);
  }
});

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect((await printed('--version')).text).toBe(`${version}\n`);
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
  [['simulate', '--port', '99999'], /invalid --port "99999": expected a port from 0 to 65535/],
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
  [['collect', '--server-metrics'], /--server-metrics requires a value/],
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
  const { code, err } = await printed(...args);
  expect(code).toBe(2);
  expect(err).toMatch(/^servelens: /);
  expect(err).toMatch(message);
  expect(err).not.toContain('    at ');
});

test.each([
  [['--port', 'abc'], /invalid --port "abc": expected a number/],
  [['--fault', 'foo'], /fault kind is "foo"; expected one of status/],
  [['--fault', 'stall'], /"seconds" of the fault "stall" is undefined/],
])('the built program rejects simulate %j without a stack trace', (args, message) => {
  const { code, err } = built(['simulate', ...args]);
  expect(err).toMatch(message);
  expect(err).not.toContain('    at ');
  expect(code).toBe(2);
});

test('the built program reports that a port is in use', async () => {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const { code, err } = built(['simulate', '--port', String(port)]);
  server.close();
  expect(err).toMatch(/^servelens: cannot listen on 127\.0\.0\.1:\d+: listen EADDRINUSE/);
  expect(err).not.toContain('    at ');
  expect(code).toBe(2);
});

test.each([
  [['-'], ['-']],
  [
    ['no-such-file', '-', '--json'],
    ['-', 'no-such-file'],
  ],
])('validate %j reads standard input', (args, names) => {
  const { code, out } = built(['validate', ...args], '{"no": "export"}');
  expect(code).toBe(1);
  for (const name of names) expect(out).toMatch(new RegExp(`(?:✗ |")${name}`));
  expect(out).not.toContain('; expected a value');
});
