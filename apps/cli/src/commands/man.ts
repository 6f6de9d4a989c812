import type { Command, Program } from '@org/terminal/program';
import { loadCommandTree, renderManPage } from '@org/terminal/shell';

/** Creates `servelens man` for a program. */
export function createManCommand(program: Program): Command {
  return {
    optionGroups: [],
    examples: [
      { command: 'servelens man | man -l -', description: 'Show the manual page' },
      {
        command: 'servelens man > ~/.local/share/man/man1/servelens.1',
        description: 'Install the manual page for this user',
      },
    ],
    exitCodes: [
      ['0', 'success'],
      ['2', 'invalid arguments'],
    ],
    run: async (_raw, { io, version }) => {
      const { name, description } = program;
      io.stdout.write(renderManPage({ name, version, description }, await loadCommandTree(program)));
      return 0;
    },
  };
}
