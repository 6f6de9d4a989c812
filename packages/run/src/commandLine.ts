import { redactArguments } from '@org/core';

/** Formats the command line of a run for its exports, without secrets and quoted for a shell. */
export function formatCommandLine(argv: readonly string[]): string {
  return ['servelens', ...redactArguments(argv)].map(quoteWord).join(' ');
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
