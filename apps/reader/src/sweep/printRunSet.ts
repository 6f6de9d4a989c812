import type { RunSet } from '@org/analysis';
import type { ProfileAggregate } from '@org/formats';
import { toPrintable } from '@org/terminal';
import { wrapText } from '@org/terminal/layout';
import type { Io, RawOptions } from '@org/terminal/program';
import { printOutput } from '../output.ts';
import { createScreen, readScreenOptions, type ScreenOptions } from '../screen.ts';
import { renderRunSetMarkdown } from './markdown.ts';
import { renderAggregate, renderSweep } from './screen.ts';
import { renderSearch } from './searchScreen.ts';

/** Prints the results of a sweep or of repeated runs for a terminal, as Markdown, or as JSON without server metrics. */
export function printRunSet(runSet: RunSet, raw: RawOptions, io: Io): void {
  printOutput(io, raw, {
    json: () => omitServerMetrics(runSet),
    markdown: () => renderRunSetMarkdown(runSet),
    screen: () => renderRunSet(runSet, readScreenOptions(io)),
  });
}

function renderRunSet(runSet: RunSet, options: ScreenOptions): string {
  const { paint, width } = createScreen(options);
  // A note names the failed runs.
  const hasNotes = runSet.notes !== undefined;
  const notes = (runSet.notes ?? []).flatMap(note => wrapText(toPrintable(note), width - 1));
  const text =
    runSet.kind === 'sweep'
      ? renderSweep(hasNotes ? { ...runSet.sweep, failed_runs: [] } : runSet.sweep, options)
      : renderAggregate(hasNotes ? omitFailures(runSet.aggregate) : runSet.aggregate, options);
  const search = runSet.kind === 'sweep' && runSet.search ? ['', renderSearch(runSet.search, options)] : [];
  return [...notes.map(line => paint.yellow(` ${line}`)), text, ...search].join('\n');
}

function omitFailures(aggregate: ProfileAggregate): ProfileAggregate {
  return { ...aggregate, metadata: { ...aggregate.metadata, failed_runs: [] } };
}

function omitServerMetrics(runSet: RunSet): object {
  const notes = runSet.notes ? { notes: runSet.notes } : {};
  if (runSet.kind === 'repeated') return { ...notes, ...omitKey(runSet.aggregate, 'server_metrics') };
  const { sweep, search } = runSet;
  return {
    ...notes,
    ...(search && { search }),
    ...sweep,
    per_combination_metrics: sweep.per_combination_metrics.map(combination =>
      omitKey(combination, 'server_metrics'),
    ),
  };
}

function omitKey(object: object, key: string): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}
