import { padEnd, wrapText } from './text.ts';

/** A term with its description, such as a command or an option. */
export interface HelpEntry {
  readonly term: string;
  readonly description: string;
}

/** A titled list of entries. */
export interface HelpSection {
  readonly title: string;
  readonly entries: readonly HelpEntry[];
}

/** A command line with its description. */
export interface HelpExample {
  readonly command: string;
  readonly description: string;
}

/** The help of a program or of one of its commands. */
export interface HelpPage {
  /** The command line in general, such as `servelens recover [options] FOLDER`. */
  readonly usage: string;
  readonly description: string;
  readonly sections: readonly HelpSection[];
  readonly examples?: readonly HelpExample[];
  /** Text after the examples, printed as it is. */
  readonly notes?: readonly string[];
}

/** The parts of an option's term in help. */
export interface OptionTerm {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Placeholder of the value, such as SECONDS; none for a flag. */
  readonly placeholder?: string;
}

/** Columns of a term at most; descriptions of longer terms start in the next line. */
const MAX_TERM_COLUMNS = 28;

const NO_BREAK_SPACE = '\u00a0';

/** Formats the term of an option, such as `-u, --url URL`. Options without a short name are indented to align. */
export function formatOptionTerm({ name, aliases = [], placeholder }: OptionTerm): string {
  const short = aliases.find(alias => alias.length === 1);
  const long = [name, ...aliases].filter(alias => alias.length > 1).map(alias => `--${alias}`);
  const names = `${short === undefined ? '    ' : `-${short}, `}${long.join(', ')}`;
  return placeholder === undefined ? names : `${names} ${placeholder}`;
}

/** Renders a page of help in lines of at most `width` columns. Examples and notes are not wrapped. */
export function renderHelp(
  { usage, description, sections, examples = [], notes = [] }: HelpPage,
  width: number,
): string {
  const blocks = [
    [`Usage: ${usage}`],
    wrapText(description, width),
    ...sections.map(section => renderSection(section, width)),
    ...(examples.length === 0 ? [] : [renderExamples(examples)]),
    ...(notes.length === 0 ? [] : [notes]),
  ];
  return blocks.map(lines => lines.join('\n')).join('\n\n');
}

function renderSection({ title, entries }: HelpSection, width: number): string[] {
  const longest = Math.max(...entries.map(({ term }) => term.length));
  const columns = Math.min(longest, MAX_TERM_COLUMNS);
  const indent = ' '.repeat(columns + 4);
  return [
    `${title}:`,
    ...entries.flatMap(({ term, description }) => {
      const lines = wrapText(keepTogether(description), width, indent).map(line =>
        line.replaceAll(NO_BREAK_SPACE, ' '),
      );
      if (term.length > columns) return [`  ${term}`, ...lines];
      const [first = '', ...rest] = lines;
      return [`  ${padEnd(term, columns)}  ${first.trimStart()}`.trimEnd(), ...rest];
    }),
  ];
}

/** Prevents line breaks in short brackets, such as `[default: 10]`. */
function keepTogether(description: string): string {
  return description.replace(/\[[^\]]{1,30}\]/g, bracket => bracket.replaceAll(' ', NO_BREAK_SPACE));
}

function renderExamples(examples: readonly HelpExample[]): string[] {
  return [
    'Examples:',
    ...examples.flatMap(({ command, description }) => [`  ${command}`, `      ${description}`]),
  ];
}
