import type { RunSet } from '@org/analysis';
import { stringifyJson } from '@org/formats/write';
import { getTerminalWidth, shouldUseColor } from '@org/terminal';
import type { Io } from '@org/terminal/program';
import { renderRunSetMarkdown } from './markdown.ts';
import { renderAggregate, renderSweep } from './screen.ts';

/** Prints the results of several runs: for a terminal, as Markdown, or as JSON without server metrics. */
export function printRunSet(
  several: RunSet,
  { json, markdown }: { readonly json: boolean; readonly markdown: boolean },
  io: Io,
): void {
  const screen = { width: getTerminalWidth(io.stdout), color: shouldUseColor(io.stdout, io.env) };
  if (json) io.stdout.write(`${stringifyJson(buildClientSection(several), 2)}\n`);
  else if (markdown) io.stdout.write(renderRunSetMarkdown(several));
  else if (several.kind === 'sweep') io.stdout.write(`${renderSweep(several.sweep, screen)}\n`);
  else io.stdout.write(`${renderAggregate(several.aggregate, screen)}\n`);
}

function buildClientSection(several: RunSet): object {
  if (several.kind === 'repeated') return omit(several.aggregate, 'server_metrics');
  const { sweep } = several;
  return {
    ...sweep,
    per_combination_metrics: sweep.per_combination_metrics.map(combination =>
      omit(combination, 'server_metrics'),
    ),
  };
}

function omit(object: object, key: string): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}
