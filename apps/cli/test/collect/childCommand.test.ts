import { createLog } from '@org/terminal/live';
import { expect, test } from 'vitest';
import { runChildCommand } from '../../src/collect/childCommand.ts';
import { Interruption } from '../../src/process/interruption.ts';
import { createIo } from '../support/io.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const folder = makeSuiteFolder();

test.each<[string, string[], number, RegExp]>([
  ['an empty name', [''], 127, /cannot run "": command not found/],
  ['an unknown command', ['no-such-command'], 127, /cannot run "no-such-command": command not found/],
  ['a NUL in an argument', ['echo', 'a\0b'], 126, /cannot run "echo": .*null bytes/],
  ['a NUL in the name', ['a\0b'], 126, /cannot run "a\\u0000b": .*null bytes/],
  ['an argument that is too long', ['true', 'x'.repeat(4_000_000)], 126, /cannot run "true": .*E2BIG/],
  ['a folder', [folder], 126, /permission denied/],
])('reports why a command cannot be run: %s', async (_, words, exitCode, failure) => {
  const io = createIo(folder);
  const interruption = new Interruption();
  const exit = await runChildCommand(words, io, interruption, createLog(io, false));
  interruption.release();
  expect(exit).toEqual({ exitCode, failure: expect.stringMatching(failure) });
  expect(io.err.join('')).toMatch(/^ERROR/);
});

test('restores the signal handlers after the command', async () => {
  const io = createIo(folder);
  const interruption = new Interruption();
  const { onFirst, onSecond } = interruption;
  const exit = await runChildCommand(
    [process.execPath, '-e', 'process.exit(3)'],
    io,
    interruption,
    createLog(io, false),
  );
  interruption.release();
  expect(exit).toEqual({ exitCode: 3 });
  expect([interruption.onFirst, interruption.onSecond]).toEqual([onFirst, onSecond]);
});
