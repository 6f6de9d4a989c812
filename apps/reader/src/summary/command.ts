import { openRun, openRunSet } from '@org/analysis';
import { readServersOption, SERVERS_OPTION } from '@org/servers/option';
import { UsageError } from '@org/terminal';
import {
  type Command,
  type CommandContext,
  flag,
  OUTPUT_FLAGS,
  pickOptions,
  type RawOptions,
} from '@org/terminal/program';
import { FINDING_OPTIONS, formatFindingList, parseFindingOptions } from '../findingOptions.ts';
import { printOutput } from '../output.ts';
import { readScreenOptions } from '../screen.ts';
import { printRunSet } from '../sweep/printRunSet.ts';
import { buildSummaryDocument } from './json.ts';
import { renderSummaryMarkdown } from './markdown.ts';
import { renderRun } from './screen.ts';

/** The command `servelens read summary`. */
export const summaryCommand: Command = {
  arguments: [
    {
      name: 'run',
      placeholder: 'RUN',
      description:
        'Folder of a run, of a sweep or of repeated runs; or a file: server metrics (JSON, CSV, Parquet, JSONL) or a profile export',
      isOptional: true,
    },
  ],
  optionGroups: [
    {
      title: 'Findings',
      options: {
        ...FINDING_OPTIONS,
        ...SERVERS_OPTION,
        'list-findings': flag('List all findings and their thresholds; RUN is not required'),
      },
    },
    { title: 'Output', options: pickOptions(OUTPUT_FLAGS, ['json', 'markdown']) },
  ],
  examples: [
    { command: 'servelens read summary artifacts/run1', description: 'Show a run on one screen' },
    {
      command: 'servelens read summary run1 --threshold full-kv-cache.usage=0.98',
      description: 'Report a full KV cache only if its usage exceeds 98%',
    },
  ],
  exitCodes: [
    ['0', 'success'],
    ['2', 'the run cannot be read, or the arguments are invalid'],
  ],
  run,
};

/** Prints the summary of a run, a sweep or repeated runs. Returns 0. */
async function run(raw: RawOptions, { io }: CommandContext): Promise<number> {
  if (raw['list-findings'] === true) {
    io.stdout.write(`${formatFindingList()}\n`);
    return 0;
  }
  if (typeof raw.run !== 'string')
    throw new UsageError('missing run; expected a folder or file of a run; see --help');
  const findings = parseFindingOptions(raw);
  const servers = await readServersOption(raw, io);
  const runSet = await openRunSet(raw.run, { servers });
  if (runSet) {
    printRunSet(runSet, raw, io);
    return 0;
  }
  const openedRun = await openRun(raw.run, { servers });
  printOutput(io, raw, {
    json: () => buildSummaryDocument(openedRun, findings),
    markdown: () => renderSummaryMarkdown(openedRun, findings),
    screen: () => renderRun(openedRun, { ...readScreenOptions(io), findings }),
  });
  return 0;
}
