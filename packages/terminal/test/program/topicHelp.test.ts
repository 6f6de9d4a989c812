import { expect, test } from 'vitest';
import { type Command, runProgram } from '../../src/program.ts';
import { copyCommand, createTestIo, sampleProgram } from './sampleProgram.ts';

const [copying, output] = copyCommand.optionGroups;

/** A command with topics, whose `--help` shows two of its options. */
const topicCommand: Command = {
  ...copyCommand,
  optionGroups: [
    { ...copying!, topic: 'copying' },
    { ...output!, topic: 'output' },
  ],
  commonOptions: ['rate', 'quiet'],
};

async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const io = createTestIo();
  const copy = { name: 'copy', summary: 'Copy a file', load: async () => topicCommand };
  const code = await runProgram({ ...sampleProgram, commands: [copy] }, argv, io);
  return { code, out: io.out(), err: io.err() };
}

test('shows the common options by group, examples, and how to see the others', async () => {
  expect((await run('copy', '--help')).out).toBe(`Usage: files copy [options] SOURCE TARGET...

Copy a file. This page shows the common options.

Arguments:
  SOURCE     File to copy
  TARGET...  Folders to copy to

Copying:
  -r, --rate MB  Maximum rate in megabytes per second [default: unlimited]

Output:
      --quiet  Print nothing
  -h, --help   Show this help

More help:
  files copy --help TOPIC   Options of a topic: copying, output
  files copy --help OPTION  One option, such as --help rate
  files copy --help all     All 12 options, and the exit codes

Examples:
  files copy a.txt backup
      Copy one file
`);
});

test.each([
  [
    ['copy', '--help', 'copying'],
    ['--rate', '--mode', '--force'],
    ['--json', '--quiet', 'Examples'],
  ],
  [['copy', 'output', '-h'], ['--json', '--quiet'], ['--rate']],
  [['help', 'copy', 'output'], ['--json', '--quiet'], ['--rate']],
  [['copy', '--help', 'mode'], ['--mode MODE'], ['--rate', '--json']],
  [['copy', '--help', '--mode=keep'], ['--mode MODE'], ['--rate', '--json']],
  [['copy', '-r', '--help'], ['--rate MB'], ['--mode', '--json']],
  [['copy', '--help', 'speed'], ['--rate MB'], ['--mode', '--json']],
  [['copy', '--help', 'all'], ['--rate', '--mode', '--json', '--quiet', 'Exit codes'], ['More help']],
  [
    ['copy', 'a', 'b', '--help'],
    ['--rate', '--quiet', 'More help'],
    ['--mode', '--json'],
  ],
])('%j shows %j without %j', async (argv, shown, hidden) => {
  const { code, out, err } = await run(...argv);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  for (const text of shown) expect(out).toContain(text);
  for (const text of hidden) expect(out).not.toContain(text);
});

test.each([
  ['mod', 'unknown help topic "mod"; did you mean mode?'],
  ['copyin', 'unknown help topic "copyin"; did you mean copying?'],
  ['zzzzzz', 'unknown help topic "zzzzzz"; expected all, an option, or one of copying, output'],
])('rejects the topic %s', async (topic, message) => {
  expect(await run('copy', '--help', topic)).toEqual({ code: 2, out: '', err: `files: ${message}\n` });
});
