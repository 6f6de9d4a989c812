import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeSystemError, quoteShellPath } from '@org/core';
import { UsageError } from '@org/terminal';
import { type Command, flag, type Io, isSet, type RawOptions } from '@org/terminal/program';
import { EXAMPLE_RUN_FILE } from '../runFile/exampleFile.ts';

const DEFAULT_FILE = 'servelens.yaml';

/** `servelens config init`. */
export const initCommand: Command = {
  arguments: [
    {
      name: 'file',
      placeholder: 'FILE',
      description: `File to write; ${DEFAULT_FILE} by default, and - for stdout`,
      isOptional: true,
    },
  ],
  optionGroups: [{ title: 'Options', options: { force: flag('Replace an existing file') } }],
  examples: [
    { command: 'servelens config init run.yaml', description: 'Write an example of a run to run.yaml' },
  ],
  exitCodes: [
    ['0', 'success'],
    ['2', 'the file exists or cannot be written, or the arguments are invalid'],
  ],
  run: async (raw, { io }) => writeExample(String(raw.file ?? DEFAULT_FILE), raw, io),
};

function writeExample(path: string, raw: RawOptions, io: Io): number {
  if (path === '-') {
    io.stdout.write(EXAMPLE_RUN_FILE);
    return 0;
  }
  try {
    writeFileSync(resolve(io.cwd, path), EXAMPLE_RUN_FILE, { flag: isSet(raw, 'force') ? 'w' : 'wx' });
  } catch (error) {
    const hint = (error as NodeJS.ErrnoException).code === 'EEXIST' ? '; use --force to replace it' : '';
    throw new UsageError(`cannot write ${JSON.stringify(path)}: ${describeSystemError(error)}${hint}`);
  }
  if (!isSet(raw, 'quiet'))
    io.stdout.write(`Wrote ${path}. Run it with: servelens profile --config ${quoteShellPath(path)}\n`);
  return 0;
}
