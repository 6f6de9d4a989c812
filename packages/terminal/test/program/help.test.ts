import { describe, expect, test } from 'vitest';
import { formatUsage, renderCommandHelp, renderProgramHelp } from '../../src/program/help.ts';
import { option } from '../../src/program.ts';
import { copyCommand, sampleProgram, watchCommand } from './sampleProgram.ts';

test('lists the commands of a program', () => {
  const { name, description, commands } = sampleProgram;
  expect(renderProgramHelp(name, description, commands, 80)).toBe(`Usage: files COMMAND [options]

Work with files.

Commands:
  copy   Copy a file
  watch  Watch files while a command runs
  trash  Manage deleted files

Options:
  -h, --help     Show this help, or the help of COMMAND
      --version  Show the version`);
});

test('renders usage, arguments, options, sections, examples, notes and exit codes of a command', () => {
  expect(
    renderCommandHelp('files copy', 'Copy a file', copyCommand, 80),
  ).toBe(`Usage: files copy [options] SOURCE TARGET...

Copy a file.

Arguments:
  SOURCE     File to copy
  TARGET...  Folders to copy to

Copying:
  -r, --rate MB               Maximum rate in megabytes per second
                              [default: unlimited]
      --mode MODE             Behavior if a target exists
                              [choices: replace, keep] [default: keep]
      --include PATTERN...    Pattern of files to copy
      --header 'NAME: VALUE'  Header of the copy [repeatable]
      --token TOKEN           Token of the target
      --wait [SECONDS]        Time in seconds to wait for the target
  -f, --force                 Copy files without permission checks

Output:
      --json      Print JSON
      --markdown  Print Markdown, for example for pull requests
      --junit     Print JUnit XML, for CI systems
      --github    Print annotations for GitHub Actions
      --quiet     Print nothing
  -h, --help      Show this help

Patterns:
  *  Any text

Examples:
  files copy a.txt backup
      Copy one file

Targets are created if they do not exist.

Exit codes:
  0  success
  1  a file could not be copied`);
});

test.each([
  [copyCommand, 'files copy [options] SOURCE TARGET...'],
  [watchCommand, 'files copy [options] [-- COMMAND ARGS...]'],
  [
    { ...watchCommand, usage: undefined, arguments: [{ ...copyCommand.arguments![1]!, isOptional: true }] },
    'files copy [options] [TARGET...]',
  ],
])('formats the usage of command %#', (command, usage) => {
  const { usage: customUsage, ...withoutUsage } = command;
  expect(
    formatUsage('files copy', (customUsage === undefined ? withoutUsage : command) as typeof watchCommand),
  ).toBe(usage);
});

describe('layout', () => {
  test('wraps text at the width, except for usage and examples', () => {
    const lines = renderCommandHelp('files copy', 'Copy a file', copyCommand, 44).split('\n');
    for (const line of lines.filter(line => !/Usage:|^ {2}files/.test(line)))
      expect(line.length).toBeLessThanOrEqual(44);
  });

  test('does not wrap short bracketed text', () => {
    const command = {
      ...watchCommand,
      optionGroups: [
        {
          title: 'Options',
          options: { rate: option('N', 'Rate per second', { defaultText: 'as before' }) },
        },
      ],
    };
    expect(renderCommandHelp('x', 'y', command, 44)).toContain('[default: as before]');
  });

  test('indents descriptions less if all terms are long', () => {
    const term = 'A_VERY_LONG_NAME_OF_AN_ENVIRONMENT_VARIABLE';
    const command = {
      ...watchCommand,
      sections: [{ title: 'Environment variables', entries: [{ term, description: 'Interval' }] }],
    };
    expect(renderCommandHelp('x', 'y', command, 80)).toContain(`  ${term}\n      Interval`);
  });
});
