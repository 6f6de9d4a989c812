import type { Command, NestedProgram } from '../program/command.ts';
import type { Option } from '../program/option.ts';
import { addSharedOptions } from '../program/sharedOptions.ts';

/** A program or a command, with what a shell completes after its name. */
export interface CommandNode {
  /** The words after the name of the program, such as `read summary`; empty for the program. */
  readonly path: string;
  readonly summary: string;
  /** The commands of a program; empty for a command. */
  readonly children: readonly { readonly name: string; readonly summary: string }[];
  /** The command; undefined for a program. */
  readonly command?: Command;
}

/** Loads a program and all of its commands, in the order of its help. Nested programs inherit its shared options. */
export async function loadCommandTree(program: NestedProgram, path = ''): Promise<CommandNode[]> {
  const { sharedOptions = {} } = program;
  const nodes: CommandNode[] = [{ path, summary: program.description, children: program.commands }];
  for (const { name, summary, load } of program.commands) {
    const loaded = await load();
    const childPath = path === '' ? name : `${path} ${name}`;
    if ('commands' in loaded) nodes.push(...(await loadCommandTree({ sharedOptions, ...loaded }, childPath)));
    else
      nodes.push({
        path: childPath,
        summary,
        children: [],
        command: addSharedOptions(loaded, sharedOptions),
      });
  }
  return nodes;
}

/** A word that a shell completes, with its description. */
export interface CompletionWord {
  readonly word: string;
  readonly description: string;
}

/** Lists the options and commands that a shell completes after the name of a command. */
export function listWords({ path, children, command }: CommandNode): CompletionWord[] {
  const common = [
    { word: '--help', description: 'Show the help' },
    ...(path === '' ? [{ word: '--version', description: 'Show the version' }] : []),
  ];
  const options = listOptions(command).map(([name, { description }]) => ({ word: `--${name}`, description }));
  return [
    ...children.map(({ name, summary }) => ({ word: name, description: summary })),
    ...options,
    ...common,
  ];
}

/** The kind of values that a shell completes for an option. */
export type ValueKind = 'choices' | 'file' | 'other';

/** An option that takes a value. */
export interface ValueOption {
  /** All names, with dashes. */
  readonly names: readonly string[];
  readonly kind: ValueKind;
  readonly choices: readonly string[];
  readonly placeholder: string;
}

/** Lists the options of a command that take a value. */
export function listValueOptions({ command }: CommandNode): ValueOption[] {
  return listOptions(command).flatMap(([name, { placeholder, choices = [], aliases = [] }]) =>
    placeholder === undefined
      ? []
      : [
          {
            names: [name, ...aliases].map(alias => (alias.length === 1 ? `-${alias}` : `--${alias}`)),
            kind:
              choices.length > 0
                ? 'choices'
                : /FILE|DIR|RUN|PATH|FOLDER/.test(placeholder)
                  ? 'file'
                  : 'other',
            choices,
            placeholder,
          },
        ],
  );
}

/** Lists the options of a command in the order of its help, without options that are not shown. */
export function listOptions(command: Command | undefined): [name: string, option: Option][] {
  return (command?.optionGroups ?? []).flatMap(({ options }) => Object.entries(options));
}
