import { stringifyJson } from '@org/formats/write';
import type { Io, RawOptions } from '@org/terminal/program';
import { createScreen, readScreenOptions, type Screen } from './screen.ts';

/** The forms of the output of a command. */
export interface OutputForms {
  readonly json: () => unknown;
  readonly markdown: () => string;
  readonly screen: (screen: Screen) => string;
}

/** Prints the output of a command as JSON or Markdown if chosen, otherwise for the terminal. */
export function printOutput(io: Io, raw: RawOptions, forms: OutputForms): void {
  io.stdout.write(`${renderOutput(io, raw, forms)}\n`);
}

/** Reports whether to print the paths of written files after the output: it is for a terminal, and not quiet. */
export function shouldPrintPaths({ json, markdown, quiet }: RawOptions): boolean {
  return json !== true && markdown !== true && quiet !== true;
}

function renderOutput(io: Io, raw: RawOptions, { json, markdown, screen }: OutputForms): string {
  if (raw.json === true) return stringifyJson(json(), 2);
  if (raw.markdown === true) return markdown().trimEnd();
  return screen(createScreen(readScreenOptions(io)));
}
