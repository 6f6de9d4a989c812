import { openRun, openRunSet } from '@org/analysis';
import { stringifyJson } from '@org/formats/write';
import { getTerminalHeight, getTerminalWidth, shouldUseColor, UsageError } from '@org/terminal';
import type { Argv } from 'yargs';
import { FINDING_OPTIONS, formatFindingList, parseFindingOptions } from '../findingOptions.ts';
import type { ReaderIo } from '../io.ts';
import { JSON_OPTION, MARKDOWN_OPTION, type RawOptions } from '../options.ts';
import { printRunSet } from '../sweep/printRunSet.ts';
import { buildSummaryDocument } from './json.ts';
import { renderSummaryMarkdown } from './markdown.ts';
import { renderRun } from './screen.ts';

export function declare(command: Argv): Argv {
  return command
    .positional('run', {
      type: 'string',
      describe:
        'Folder of a run, of a sweep or of repeated runs; or a file: server metrics (JSON, CSV, Parquet, JSONL) or a profile export',
    })
    .option('json', JSON_OPTION)
    .option('markdown', MARKDOWN_OPTION)
    .options(FINDING_OPTIONS)
    .option('list-findings', { type: 'boolean', describe: 'List all findings and their thresholds' })
    .conflicts('json', 'markdown')
    .example('$0 summary artifacts/run1', '')
    .example('$0 summary run1 --threshold full-kv-cache.usage=0.98', '');
}

/** Prints a run on one screen; exits with 0. */
export async function run(raw: RawOptions, io: ReaderIo): Promise<number> {
  if (raw['list-findings'] === true) {
    io.stdout.write(`${formatFindingList()}\n`);
    return 0;
  }
  if (typeof raw.run !== 'string')
    throw new UsageError('missing run; expected a folder or file of a run; see --help');
  const findings = parseFindingOptions(raw);
  const runSet = await openRunSet(raw.run);
  if (runSet) {
    printRunSet(runSet, { json: raw.json === true, markdown: raw.markdown === true }, io);
    return 0;
  }
  const opened = await openRun(raw.run);
  if (raw.json === true) io.stdout.write(`${stringifyJson(buildSummaryDocument(opened, findings), 2)}\n`);
  else if (raw.markdown === true) io.stdout.write(renderSummaryMarkdown(opened, findings));
  else {
    const screen = { width: getTerminalWidth(io.stdout), height: getTerminalHeight(io.stdout) };
    const color = shouldUseColor(io.stdout, io.env);
    io.stdout.write(`${renderRun(opened, { ...screen, color, findings })}\n`);
  }
  return 0;
}
