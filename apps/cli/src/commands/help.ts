import { getTerminalWidth } from '@org/terminal';
import { formatOptionTerm, type HelpEntry, type HelpPage, renderHelp } from '@org/terminal/layout';
import type { Io } from '../io.ts';
import type { Option } from '../options/option.ts';
import type { Command } from './command.ts';
import { COMMANDS, PROGRAM } from './commandTable.ts';

/** Help is not wider than this on wide terminals. */
const MAX_HELP_COLUMNS = 100;

const HELP_OPTION = { term: '-h, --help', description: 'Show this help' };

/** Renders the help of the command that the words of a command line name, or of the program. */
export async function renderHelpFor(commandLine: readonly string[], io: Io): Promise<string> {
  const width = getHelpWidth(io);
  const words = commandLine.filter(word => !word.startsWith('-') && word !== 'help');
  const entry = COMMANDS.find(({ name }) => name.split(' ').every((word, index) => words[index] === word));
  if (!entry) return renderProgramHelp(words[0], width);
  return renderCommandHelp(`${PROGRAM} ${entry.name}`, entry.summary, await entry.load(), width);
}

/** Renders the help of the program, or the commands of a group such as `config`. */
function renderProgramHelp(group: string | undefined, width: number): string {
  const inGroup = COMMANDS.filter(({ name }) => name.startsWith(`${group} `));
  const read = { name: 'read', summary: 'Summarize, compare, check and query runs: servelens read --help' };
  const commands = inGroup.length > 0 ? inGroup : [...COMMANDS, read];
  return renderHelp(
    {
      usage: `${PROGRAM} ${inGroup.length > 0 ? `${group} ` : ''}COMMAND [options]`,
      description: 'Record the metrics of LLM inference servers under load.',
      sections: [
        {
          title: 'Commands',
          entries: commands.map(({ name, summary }) => ({ term: name, description: summary })),
        },
        {
          title: 'Options',
          entries: [
            { term: '-h, --help', description: 'Show this help, or the help of COMMAND' },
            { term: '    --version', description: 'Show the version' },
          ],
        },
      ],
    },
    width,
  );
}

/** Renders the help of a command. `name` includes the program, such as `servelens config check`. */
function renderCommandHelp(name: string, summary: string, command: Command, width: number): string {
  const groups = command.optionGroups.map(({ title, options }) => ({
    title,
    entries: Object.entries(options).map(([option, declaration]) => toHelpEntry(option, declaration)),
  }));
  const last = groups.at(-1);
  const page: HelpPage = {
    usage: `${name} ${command.usage}`,
    description: `${summary}.`,
    sections: [
      ...(command.arguments
        ? [
            {
              title: 'Arguments',
              entries: command.arguments.map(({ placeholder, description }) => ({
                term: placeholder,
                description,
              })),
            },
          ]
        : []),
      ...groups.slice(0, -1),
      { title: last?.title ?? 'Options', entries: [...(last?.entries ?? []), HELP_OPTION] },
      ...(command.sections ?? []),
    ],
    examples: command.examples,
    ...(command.notes ? { notes: command.notes } : {}),
  };
  return renderHelp(page, width);
}

/** Returns the width of help on a terminal; help is limited to a readable width elsewhere. */
function getHelpWidth({ stdout }: Io): number {
  return stdout.isTTY ? Math.min(MAX_HELP_COLUMNS, getTerminalWidth(stdout)) : MAX_HELP_COLUMNS;
}

/** Returns the entry of an option in the help. */
function toHelpEntry(name: string, option: Option): HelpEntry {
  const { aliases, placeholder, many, choices, description, default: standard, defaultText } = option;
  const shownDefault = defaultText ?? (standard === undefined ? undefined : String(standard));
  const shownPlaceholder =
    placeholder === undefined ? {} : { placeholder: many === 'list' ? `${placeholder}...` : placeholder };
  return {
    term: formatOptionTerm({ name, ...(aliases ? { aliases } : {}), ...shownPlaceholder }),
    description: [
      description,
      ...(choices ? [`[choices: ${choices.join(', ')}]`] : []),
      ...(many === 'repeat' ? ['[repeatable]'] : []),
      ...(shownDefault === undefined ? [] : [`[default: ${shownDefault}]`]),
    ].join(' '),
  };
}
