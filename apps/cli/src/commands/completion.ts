import { UsageError } from '@org/terminal';
import type { Command, Program } from '@org/terminal/program';
import { loadCommandTree, renderBashCompletion, renderZshCompletion } from '@org/terminal/shell';

const RENDERERS = { bash: renderBashCompletion, zsh: renderZshCompletion };

/** Creates `servelens completion` for a program. */
export function createCompletionCommand(program: Program): Command {
  return {
    arguments: [{ name: 'shell', placeholder: 'SHELL', description: 'bash or zsh' }],
    optionGroups: [],
    examples: [
      {
        command: 'servelens completion bash > ~/.servelens.bash',
        description: 'Write the completion for bash, which ~/.bashrc can source',
      },
      {
        command: 'servelens completion zsh > ~/.zfunc/_servelens',
        description: 'Write the completion for zsh, if ~/.zfunc is in fpath',
      },
    ],
    exitCodes: [
      ['0', 'success'],
      ['2', 'invalid arguments'],
    ],
    run: async (raw, { io }) => {
      const shell = String(raw.shell);
      if (!Object.hasOwn(RENDERERS, shell))
        throw new UsageError(`invalid SHELL ${JSON.stringify(shell)}: expected one of bash, zsh`);
      const nodes = await loadCommandTree(program);
      io.stdout.write(RENDERERS[shell as keyof typeof RENDERERS](program.name, nodes));
      return 0;
    },
  };
}
