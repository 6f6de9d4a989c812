import { padEnd, wrapText } from '../text.ts';
import type { Argument, Command, CommandEntry, HelpEntry, HelpExample, HelpSection } from './command.ts';
import type { Option, OptionGroup } from './option.ts';

/** The help of a program or of one of its commands. */
export interface HelpPage {
  /** The synopsis, such as `servelens recover [options] RUN`. */
  readonly usage: string;
  readonly description?: string;
  readonly sections: readonly HelpSection[];
  readonly examples?: readonly HelpExample[];
  /** Paragraphs after the examples. */
  readonly notes?: readonly string[];
  /** The last section, such as exit codes. */
  readonly lastSection?: HelpSection;
}

/** Maximum width of a term, in columns. Descriptions of longer terms start on the next line. */
const MAX_TERM_COLUMNS = 28;

/** Indent of descriptions below long terms and examples, in columns. */
const INDENT = 6;

const NO_BREAK_SPACE = '\u00a0';

const HELP_OPTION: HelpEntry = { term: '-h, --help', description: 'Show this help' };

/** Renders the help of a program, which lists its commands. */
export function renderProgramHelp(
  name: string,
  description: string,
  commands: readonly CommandEntry[],
  width: number,
): string {
  return renderHelp(
    {
      usage: `${name} COMMAND [options]`,
      description,
      sections: [
        {
          title: 'Commands',
          entries: commands.map(({ name: term, summary }) => ({ term, description: summary })),
        },
        {
          title: 'Options',
          entries: [
            { ...HELP_OPTION, description: 'Show this help, or the help of COMMAND' },
            { term: '    --version', description: 'Show the version' },
          ],
        },
      ],
    },
    width,
  );
}

/** Renders all options of a command. `name` includes the name of the program, as in `servelens export`. */
export function renderCommandHelp(name: string, summary: string, command: Command, width: number): string {
  return renderHelp(
    {
      usage: formatUsage(name, command),
      description: `${summary}.`,
      sections: [
        ...createArgumentSections(command.arguments ?? []),
        ...createOptionSections(command.optionGroups),
        ...(command.sections ?? []),
      ],
      examples: command.examples,
      ...(command.notes ? { notes: command.notes } : {}),
      ...(command.exitCodes
        ? {
            lastSection: {
              title: 'Exit codes',
              entries: command.exitCodes.map(([term, description]) => ({ term, description })),
            },
          }
        : {}),
    },
    width,
  );
}

/** Creates a section for each group of options. The last one includes `--help`. */
export function createOptionSections(groups: readonly OptionGroup[]): HelpSection[] {
  const sections = groups.map(createOptionSection);
  const last = sections.at(-1);
  return [
    ...sections.slice(0, -1),
    { title: last?.title ?? 'Options', entries: [...(last?.entries ?? []), HELP_OPTION] },
  ];
}

/** Creates a section with the options of a group. */
export function createOptionSection({ title, options }: OptionGroup): HelpSection {
  const entries = Object.entries(options).map(([name, option]) => createOptionEntry(name, option));
  return { title, entries };
}

/** Formats the synopsis of a command, such as `servelens recover [options] RUN`. */
export function formatUsage(name: string, command: Command): string {
  const words = (command.arguments ?? []).map(argument =>
    argument.isOptional ? `[${formatPlaceholder(argument)}]` : formatPlaceholder(argument),
  );
  const options = command.optionGroups.length > 0 ? ['[options]'] : [];
  return [name, ...(command.usage === undefined ? [...options, ...words] : [command.usage])].join(' ');
}

export function createArgumentSections(declared: readonly Argument[]): HelpSection[] {
  if (declared.length === 0) return [];
  const entries = declared.map(argument => ({
    term: formatPlaceholder(argument),
    description: argument.description,
  }));
  return [{ title: 'Arguments', entries }];
}

function formatPlaceholder({ placeholder, isList }: Argument): string {
  return isList ? `${placeholder}...` : placeholder;
}

/** Describes an option for the help: its names and placeholder, and its description with choices and default. */
export function createOptionEntry(name: string, option: Option): HelpEntry {
  const { description, many, choices, default: defaultValue, defaultText } = option;
  // A flag that is off by default needs no mention.
  const shownDefault =
    defaultText ?? (defaultValue === undefined || defaultValue === false ? '' : String(defaultValue));
  return {
    term: formatOptionTerm(name, option),
    description: [
      description,
      ...(choices ? [`[choices: ${choices.join(', ')}]`] : []),
      ...(many === 'repeat' ? ['[repeatable]'] : []),
      ...(shownDefault === '' ? [] : [`[default: ${shownDefault}]`]),
    ].join(' '),
  };
}

/**
 * Formats the names and the placeholder of an option, such as `-u, --url URL...`. Options without a short
 * name are indented, so that long names align.
 */
function formatOptionTerm(name: string, { aliases = [], placeholder, many }: Option): string {
  const short = aliases.find(alias => alias.length === 1);
  const long = [name, ...aliases].filter(alias => alias.length > 1).map(alias => `--${alias}`);
  const names = `${short === undefined ? '    ' : `-${short}, `}${long.join(', ')}`;
  return placeholder === undefined ? names : `${names} ${placeholder}${many === 'list' ? '...' : ''}`;
}

/**
 * Renders a help page in lines of at most `width` columns. The usage and the command lines of examples are
 * not wrapped.
 */
export function renderHelp(
  { usage, description, sections, examples = [], notes = [], lastSection }: HelpPage,
  width: number,
): string {
  const blocks = [
    [`Usage: ${usage}`],
    ...(description === undefined ? [] : [wrapText(description, width)]),
    ...sections.map(section => renderSection(section, width)),
    ...(examples.length === 0 ? [] : [renderExamples(examples, width)]),
    ...notes.map(note => wrapText(note, width)),
    ...(lastSection ? [renderSection(lastSection, width)] : []),
  ];
  return blocks.map(lines => lines.join('\n')).join('\n\n');
}

function renderSection({ title, entries }: HelpSection, width: number): string[] {
  const lengths = entries.map(({ term }) => term.length);
  const columns = Math.min(Math.max(...lengths), MAX_TERM_COLUMNS);
  const areAllLong = Math.min(...lengths) > MAX_TERM_COLUMNS;
  const indent = ' '.repeat(areAllLong ? INDENT : columns + 4);
  return [
    `${title}:`,
    ...entries.flatMap(({ term, description }) => {
      const lines = wrapText(keepTogether(description), width, indent).map(line =>
        line.replaceAll(NO_BREAK_SPACE, ' '),
      );
      if (term.length > columns) return [`  ${term}`, ...lines];
      const [first = '', ...remainingLines] = lines;
      return [`  ${padEnd(term, columns)}  ${first.trimStart()}`.trimEnd(), ...remainingLines];
    }),
  ];
}

/** Prevents line breaks in short brackets, such as `[default: 10]`. */
function keepTogether(description: string): string {
  return description.replace(/\[[^\]]{1,30}\]/g, bracket => bracket.replaceAll(' ', NO_BREAK_SPACE));
}

function renderExamples(examples: readonly HelpExample[], width: number): string[] {
  return [
    'Examples:',
    ...examples.flatMap(({ command, description }) => [
      `  ${command}`,
      ...wrapText(description, width, ' '.repeat(INDENT)),
    ]),
  ];
}
