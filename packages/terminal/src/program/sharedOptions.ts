import type { Command } from './command.ts';
import type { OptionTable } from './option.ts';

/**
 * Adds the options that all commands of a program have to one of its commands, unless the command declares them itself. They
 * are added to the last group of options.
 */
export function addSharedOptions(command: Command, shared: OptionTable): Command {
  const declared = new Set(command.optionGroups.flatMap(({ options }) => Object.keys(options)));
  const added = Object.entries(shared).filter(([name]) => !declared.has(name));
  if (added.length === 0) return command;
  const last = command.optionGroups.at(-1) ?? { title: 'Options', options: {} };
  const group = { ...last, options: { ...last.options, ...Object.fromEntries(added) } };
  return { ...command, optionGroups: [...command.optionGroups.slice(0, -1), group] };
}
