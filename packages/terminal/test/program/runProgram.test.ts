import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '../../src/program.ts';
import { createTestIo, sampleProgram } from './sampleProgram.ts';

const { version } = JSON.parse(readFileSync(sampleProgram.packageFile, 'utf8')) as { version: string };

async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const io = createTestIo();
  const code = await runProgram(sampleProgram, argv, io);
  return { code, out: io.out(), err: io.err() };
}

test('passes parsed values, arguments and the version to a command', async () => {
  const { code, out } = await run('copy', 'a', 'b', '--quiet');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    source: 'a',
    targets: ['b'],
    mode: 'keep',
    quiet: true,
    argv: ['copy', 'a', 'b', '--quiet'],
    version,
  });
});

test.each([
  [['watch', '--', 'sleep', '1'], 0, '["sleep","1"]'],
  [['watch', '--'], 0, '[]'],
  [['watch'], 1, 'null'],
])('%j returns the exit code of the command', async (argv, exitCode, childCommand) => {
  expect(await run(...argv)).toEqual({ code: exitCode, out: childCommand, err: '' });
});

test.each([
  [['--help'], 'Usage: files COMMAND'],
  [['-h'], 'Usage: files COMMAND'],
  [['help'], 'Usage: files COMMAND'],
  [['copy', '--help'], 'Usage: files copy [options] SOURCE'],
  [['copy', 'a', '--rat', '-h'], 'Usage: files copy [options] SOURCE'],
  [['help', 'copy'], 'Usage: files copy [options] SOURCE'],
  [['--help', 'copy'], 'Usage: files copy [options] SOURCE'],
  [['trash', '--help'], 'Usage: files trash COMMAND'],
  [['help', 'trash', 'empty'], 'Usage: files trash empty'],
])('%j prints help', async (argv, start) => {
  const { code, out, err } = await run(...argv);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out.slice(0, start.length)).toBe(start);
});

test.each([[['--version']], [['trash', '--version']]])('%j prints the version', async argv => {
  expect(await run(...argv)).toEqual({ code: 0, out: `${version}\n`, err: '' });
});

test('help fits the width of the terminal', async () => {
  const io = createTestIo(50);
  await runProgram(sampleProgram, ['copy', '--help'], io);
  expect(
    Math.max(
      ...io
        .out()
        .split('\n')
        .map(line => line.length),
    ),
  ).toBeLessThanOrEqual(50);
});

test.each([
  [[], 'files: missing command; expected files COMMAND [options]; see --help'],
  [['--quiet'], 'files: missing command before --quiet; expected files COMMAND [options]; see --help'],
  [['--token=s3cret'], 'files: missing command before --token; expected files COMMAND [options]; see --help'],
  [['copi'], 'files: unknown command "copi"; did you mean copy?'],
  [['foo'], 'files: unknown command "foo"; see --help'],
  [['help', 'foo'], 'files: unknown command "foo"; see --help'],
  [['trash'], 'files trash: missing command; expected files trash COMMAND [options]; see --help'],
  [['trash', 'empt'], 'files trash: unknown command "empt"; did you mean empty?'],
  [['copy'], 'files: missing SOURCE; expected files copy [options] SOURCE TARGET...; see --help'],
  [['trash', 'empty'], 'files trash: the trash␛[1m is locked'],
])('%j exits with 2 and a message', async (argv, message) => {
  expect(await run(...argv)).toEqual({ code: 2, out: '', err: `${message}\n` });
});

test('throws errors that the user cannot fix', async () => {
  const program = { ...sampleProgram, isUserError: () => false };
  await expect(runProgram(program, ['trash', 'empty'], createTestIo())).rejects.toThrow('is locked');
});

test('the example program runs', () => {
  const example = resolve(import.meta.dirname, '../../examples/greet.mjs');
  const args = ['wait', '--delay', '0', '--quiet', 'Ada', 'Grace'];
  expect(execFileSync(process.execPath, [example, ...args], { encoding: 'utf8' })).toBe(
    'hello, Ada and Grace\n',
  );
});
