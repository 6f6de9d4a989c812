import { openRun, openSeveral } from '@org/analysis';
import { stringifyJson } from '@org/formats/write';
import { getTerminalHeight, getTerminalWidth, shouldUseColor, UsageError } from '@org/terminal';
import type { Argv } from 'yargs';
import { FINDING_OPTIONS, findingList, findingOptions } from '../findingOptions.ts';
import type { ReaderIo } from '../io.ts';
import { texts } from '../optionValues.ts';
import { printSeveral } from '../sweep/printRunSet.ts';
import { summaryDocument } from './json.ts';
import { summaryMarkdown } from './markdown.ts';
import { renderRun } from './screen.ts';

export function declareSummary(command: Argv): Argv {
  return command
    .positional('run', {
      type: 'string',
      describe:
        'Folder of a run, a sweep or repeated runs, or one of its files: server metrics (JSON of any layout, CSV, Parquet, JSONL) or a profile export',
    })
    .option('json', { type: 'boolean', describe: 'As JSON' })
    .option('markdown', { type: 'boolean', describe: 'As Markdown' })
    .options(FINDING_OPTIONS)
    .option('list-findings', { type: 'boolean', describe: 'Every finding that there is, and its thresholds' })
    .conflicts('json', 'markdown')
    .example('$0 summary artifacts/run1', '')
    .example('$0 summary run1 --threshold kv-cache-full.usage=0.98', '');
}

/** Prints a run on one screen; 0. */
export async function summary(raw: Readonly<Record<string, unknown>>, io: ReaderIo): Promise<number> {
  if (raw['list-findings'] === true) {
    io.stdout.write(`${findingList()}\n`);
    return 0;
  }
  if (typeof raw.run !== 'string') throw new UsageError('name a run: its folder or file; see --help');
  const findings = findingOptions(texts(raw['no-finding']), texts(raw.threshold));
  const several = await openSeveral(raw.run);
  if (several) {
    printSeveral(several, { json: raw.json === true, markdown: raw.markdown === true }, io);
    return 0;
  }
  const run = await openRun(raw.run);
  if (raw.json === true) io.stdout.write(`${stringifyJson(summaryDocument(run, findings), 2)}\n`);
  else if (raw.markdown === true) io.stdout.write(summaryMarkdown(run, findings));
  else {
    const look = { width: getTerminalWidth(io.stdout), height: getTerminalHeight(io.stdout) };
    const color = shouldUseColor(io.stdout, io.env);
    io.stdout.write(`${renderRun(run, { ...look, color, findings })}\n`);
  }
  return 0;
}
