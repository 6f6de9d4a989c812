import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { QUIET_OPTION } from '@org/terminal/program';
import { type CommandNode, loadCommandTree } from '@org/terminal/shell';
import { beforeAll, describe, expect, test } from 'vitest';
import { PROGRAM } from '../../src/main.ts';
import { EXAMPLE_RUN_FILE } from '../../src/runFile/exampleFile.ts';
import { runServelens } from '../support/servelens.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const cwd = makeSuiteFolder();
const RUN = join(import.meta.dirname, '../files/aiperf-0.13-run');

/** An ending of every command that needs no server, and its exit code. OUT is a path that does not exist. */
const ENDINGS: readonly (readonly [path: string, code: number, ...args: string[]])[] = [
  ['profile', 2, '--model', 'm', '--concurrency', 'none'],
  ['collect', 2, '--duration', 'none'],
  ['watch', 2, 'none'],
  ['mark', 2, '--folder', 'none', 'note'],
  ['validate', 0, RUN],
  ['recover', 2, 'none'],
  ['merge', 2, 'none', '--output', 'merged'],
  ['export', 0, RUN, '--output', 'OUT', '--formats', 'json'],
  ['import', 0, join(RUN, 'server_metrics_export.jsonl'), '--artifact-dir', 'OUT'],
  ['push', 1, RUN, '--to', 'remote-write=http://127.0.0.1:1', '--push-timeout', '0'],
  ['kube manifest', 0, '--image', 'i', '--volume-claim', 'c', '--', '--model', 'm', '--request-count', '1'],
  ['config init', 0, '-'],
  ['config check', 0, 'run.yaml'],
  ['config expand', 0, 'run.yaml'],
  ['analyze-trace', 0, 'trace.jsonl'],
  ['servers list', 0],
  ['servers show', 0, 'vllm'],
  ['servers explain', 0, 'vllm:num_requests_running'],
  ['simulate', 2, '--port', 'none'],
  ['completion', 0, 'bash'],
  ['man', 0],
  ['read summary', 0, RUN],
  ['read compare', 0, RUN, RUN],
  ['read trend', 0, RUN],
  ['read check', 0, RUN, '--assert', 'request_latency.avg > 0'],
  ['read query', 0, RUN, 'SELECT 1 AS a'],
  ['read dataset', 0, RUN, '--output', 'OUT'],
  ['read report', 0, RUN, '--output', 'OUT.html'],
];

/** A call of a command: its arguments, and the expected exit code. */
interface Call {
  readonly path: string;
  readonly code: number;
  readonly args: readonly string[];
}

const CALLS: readonly Call[] = ENDINGS.map(([path, code, ...args]) => ({ path, code, args }));

/** Commands without data: they print or write a text for a shell, a manual reader or an editor. */
const TEXT_COMMANDS: readonly string[] = ['config init', 'completion', 'man'];

const NO_COLORS = { FORCE_COLOR: '1', NO_COLOR: '1' } as const;
const ESCAPE = '\u001b';

let commands: readonly (CommandNode & Required<Pick<CommandNode, 'command'>>)[];
beforeAll(async () => {
  const nodes = await loadCommandTree(PROGRAM);
  commands = nodes.flatMap(node => (node.command ? [{ ...node, command: node.command }] : []));
  writeFileSync(join(cwd, 'run.yaml'), EXAMPLE_RUN_FILE);
  writeFileSync(
    join(cwd, 'trace.jsonl'),
    '{"timestamp": 0, "input_length": 600, "output_length": 5, "hash_ids": [1, 2]}\n',
  );
});

let outputs = 0;

/** Calls a command with further options, which precede its arguments. */
function call({ path, args }: Call, options: readonly string[], env = {}) {
  outputs += 1;
  const named = args.map(arg => arg.replace('OUT', join(cwd, `out-${outputs}`)));
  return runServelens([...path.split(' '), ...options, ...named], { cwd, env });
}

test('there is a call of every command', () => {
  expect(CALLS.map(({ path }) => path)).toEqual(commands.map(({ path }) => path));
});

test('every command has the option --quiet, with the same meaning', () => {
  for (const { path, command } of commands) {
    const groups = command.optionGroups.filter(({ options }) => options.quiet !== undefined);
    expect(
      groups.map(({ options }) => options.quiet),
      path,
    ).toEqual([QUIET_OPTION.quiet]);
  }
});

test('every command that prints data has the option --json', () => {
  const without = commands.filter(({ command }) =>
    command.optionGroups.every(({ options }) => options.json === undefined),
  );
  expect(without.map(({ path }) => path)).toEqual(TEXT_COMMANDS);
});

describe('--quiet and NO_COLOR', () => {
  test.each(CALLS)('$path exits with $code, without notes and colors', async command => {
    const { code, out, err } = await call(command, ['--quiet'], NO_COLORS);
    expect(code, err).toBe(command.code);
    expect(err).not.toMatch(/^INFO/m);
    expect(out + err).not.toContain(ESCAPE);
    if (code === 2) expect(err).toMatch(/^servelens/);
  });

  test('the same output has colors without NO_COLOR', async () => {
    const { out } = await runServelens(['read', 'summary', RUN], { cwd, env: { FORCE_COLOR: '1' } });
    expect(out).toContain(ESCAPE);
  });
});

describe('--json --quiet', () => {
  const calls = CALLS.filter(({ path, code }) => code < 2 && !TEXT_COMMANDS.includes(path));
  test.each(calls)('$path prints one JSON document', async command => {
    const { code, out } = await call(command, ['--json', '--quiet'], NO_COLORS);
    expect(code).toBe(command.code);
    expect(() => JSON.parse(out)).not.toThrow();
  });
});

test.each([
  [['config', 'check', 'run.yaml'], /is valid/],
  [['validate', RUN], /✓/],
  [['read', 'check', RUN, '--assert', 'request_latency.avg > 0'], /request_latency/],
] as const)('%j prints what it has checked, and with --quiet only problems', async (args, text) => {
  expect((await runServelens(args, { cwd })).out).toMatch(text);
  expect((await runServelens([...args, '-q'], { cwd })).out).toBe('');
});
