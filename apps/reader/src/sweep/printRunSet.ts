import type { RunSet } from '@org/analysis';
import { stringifyJson } from '@org/formats/write';
import type { Io } from '@org/terminal/program';
import { readScreenOptions } from '../screen.ts';
import { renderRunSetMarkdown } from './markdown.ts';
import { renderAggregate, renderSweep } from './screen.ts';

/** Prints the results of a sweep or of repeated runs for a terminal, as Markdown, or as JSON without server metrics. */
export function printRunSet(
  runSet: RunSet,
  { json, markdown }: { readonly json: boolean; readonly markdown: boolean },
  io: Io,
): void {
  const screen = readScreenOptions(io);
  if (json) io.stdout.write(`${stringifyJson(omitServerMetrics(runSet), 2)}\n`);
  else if (markdown) io.stdout.write(renderRunSetMarkdown(runSet));
  else if (runSet.kind === 'sweep') io.stdout.write(`${renderSweep(runSet.sweep, screen)}\n`);
  else io.stdout.write(`${renderAggregate(runSet.aggregate, screen)}\n`);
}

function omitServerMetrics(runSet: RunSet): object {
  if (runSet.kind === 'repeated') return omitKey(runSet.aggregate, 'server_metrics');
  const { sweep } = runSet;
  return {
    ...sweep,
    per_combination_metrics: sweep.per_combination_metrics.map(combination =>
      omitKey(combination, 'server_metrics'),
    ),
  };
}

function omitKey(object: object, key: string): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}
