import { Writable } from 'node:stream';
import { type Command, flag, type Io, OUTPUT_FLAGS, option, type Program } from '../../src/program.ts';

/** A command that copies files, with one option of each kind. It prints its values as JSON. */
export const copyCommand: Command = {
  arguments: [
    { name: 'source', placeholder: 'SOURCE', description: 'File to copy' },
    { name: 'targets', placeholder: 'TARGET', description: 'Folders to copy to', isList: true },
  ],
  optionGroups: [
    {
      title: 'Copying',
      options: {
        rate: option('MB', 'Maximum rate in megabytes per second', {
          aliases: ['r'],
          hiddenAliases: ['speed'],
          defaultText: 'unlimited',
        }),
        mode: option('MODE', 'Behavior if a target exists', {
          choices: ['replace', 'keep'],
          default: 'keep',
        }),
        include: option('PATTERN', 'Pattern of files to copy', { many: 'list', acceptsCommas: true }),
        header: option("'NAME: VALUE'", 'Header of the copy', { many: 'repeat', isSecret: true }),
        token: option('TOKEN', 'Token of the target', { isSecret: true }),
        wait: option('[SECONDS]', 'Time in seconds to wait for the target', { isValueOptional: true }),
        force: flag('Copy files without permission checks', { aliases: ['f'] }),
      },
    },
    { title: 'Output', options: { ...OUTPUT_FLAGS, quiet: flag('Print nothing') } },
  ],
  sections: [{ title: 'Patterns', entries: [{ term: '*', description: 'Any text' }] }],
  examples: [{ command: 'files copy a.txt backup', description: 'Copy one file' }],
  notes: ['Targets are created if they do not exist.'],
  exitCodes: [
    ['0', 'success'],
    ['1', 'a file could not be copied'],
  ],
  run: async (raw, { io, argv, version }) => {
    io.stdout.write(JSON.stringify({ ...raw, argv, version }));
    return 0;
  },
};

/** A command that accepts a child command, prints it, and exits with 1 if there is none. */
export const watchCommand: Command = {
  usage: '[options] [-- COMMAND ARGS...]',
  acceptsChildCommand: true,
  optionGroups: [{ title: 'Options', options: { interval: option('SECONDS', 'Interval in seconds') } }],
  examples: [],
  run: async (_raw, { io, childCommand }) => {
    io.stdout.write(JSON.stringify(childCommand ?? null));
    return childCommand ? 0 : 1;
  },
};

/** A program with commands, a nested program and a command that fails. */
export const sampleProgram: Program = {
  name: 'files',
  description: 'Work with files.',
  packageFile: new URL('../../package.json', import.meta.url),
  commands: [
    { name: 'copy', summary: 'Copy a file', load: async () => copyCommand },
    { name: 'watch', summary: 'Watch files while a command runs', load: async () => watchCommand },
    {
      name: 'trash',
      summary: 'Manage deleted files',
      load: async () => ({
        description: 'Manage deleted files.',
        commands: [
          {
            name: 'empty',
            summary: 'Delete all files in the trash',
            load: async (): Promise<Command> => ({
              optionGroups: [],
              examples: [],
              run: async () => {
                throw new RangeError('the trash\u001b[1m is locked');
              },
            }),
          },
        ],
      }),
    },
  ],
  isUserError: error => error instanceof RangeError,
};

/** Creates an `Io` that records its output. `out()` and `err()` return the text written to stdout and stderr. */
export function createTestIo(
  columns?: number,
): Io & { readonly out: () => string; readonly err: () => string } {
  const written = { out: '', err: '' };
  const createSink = (name: 'out' | 'err'): Writable =>
    new Writable({
      write(chunk, _encoding, done) {
        written[name] += String(chunk);
        done();
      },
    });
  const stdout = Object.assign(createSink('out'), columns === undefined ? {} : { isTTY: true, columns });
  return {
    stdout,
    stderr: createSink('err'),
    env: {},
    cwd: '/home/me',
    out: () => written.out,
    err: () => written.err,
  };
}
