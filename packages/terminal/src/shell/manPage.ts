import { createOptionEntry, formatUsage } from '../program/help.ts';
import type { CommandNode } from './commandTree.ts';

/** Name, version and description of the program of a manual page. */
export interface ManPageOptions {
  readonly name: string;
  readonly version: string;
  readonly description: string;
}

/** Renders the manual page of a program, with a section for each command, in the macros of man(7). */
export function renderManPage(
  { name, version, description }: ManPageOptions,
  nodes: readonly CommandNode[],
): string {
  const commands = nodes.filter(({ command }) => command !== undefined);
  return [
    `.TH ${name.toUpperCase()} 1 "" "${name} ${version}"`,
    '.SH NAME',
    `${escapeText(name)} \\- ${escapeText(description.replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    `.B ${escapeText(name)}`,
    '.I COMMAND',
    '[options]',
    '.SH DESCRIPTION',
    escapeText(description),
    ...commands.flatMap(node => renderCommand(name, node)),
    '',
  ].join('\n');
}

function renderCommand(program: string, { path, summary, command }: CommandNode): string[] {
  const { optionGroups, sections = [], examples, notes = [], exitCodes = [] } = command!;
  const title = `${program} ${path}`;
  return [
    `.SH ${escapeText(title.toUpperCase())}`,
    escapeText(`${summary}.`),
    '.PP',
    `.B ${escapeText(formatUsage(title, command!))}`,
    ...(command!.arguments ?? []).flatMap(({ placeholder, description }) =>
      renderEntry(placeholder, description),
    ),
    ...optionGroups.flatMap(({ title: group, options }) => [
      `.SS ${escapeText(group)}`,
      ...Object.entries(options)
        .map(([option, declaration]) => createOptionEntry(option, declaration))
        .flatMap(({ term, description }) => renderEntry(term.trim(), description)),
    ]),
    ...sections.flatMap(({ title: section, entries }) => [
      `.SS ${escapeText(section)}`,
      ...entries.flatMap(({ term, description }) => renderEntry(term, description)),
    ]),
    ...(examples.length === 0 ? [] : ['.SS Examples']),
    ...examples.flatMap(example => renderEntry(example.command, example.description)),
    ...notes.flatMap(note => ['.PP', escapeText(note)]),
    ...(exitCodes.length === 0 ? [] : ['.SS Exit codes']),
    ...exitCodes.flatMap(([code, meaning]) => renderEntry(code, meaning)),
  ];
}

function renderEntry(term: string, description: string): string[] {
  return ['.TP', `.B ${escapeText(term)}`, escapeText(description)];
}

/** Escapes text: backslashes, dashes, and characters that are commands at the start of a line. */
function escapeText(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .split('\n')
    .map(line => line.trim().replace(/^(?=[.'])/, '\\&'))
    .filter(line => line !== '')
    .join('\n');
}
