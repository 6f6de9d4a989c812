import { pickOptions, withDefaultsOfRun } from '../options/option.ts';
import { OUTPUT_OPTIONS } from '../options/output.ts';
import type { Command } from './command.ts';

/** `servelens recover`. */
export const recoverCommand: Command = {
  usage: '[options] RUN',
  arguments: [
    {
      name: 'run',
      placeholder: 'RUN',
      description: 'Folder of a run, its journal, or the folder of repeated runs or a sweep',
    },
  ],
  optionGroups: [
    {
      title: 'Output',
      options: {
        ...withDefaultsOfRun(
          pickOptions(OUTPUT_OPTIONS, [
            'server-metrics-formats',
            'slice-duration',
            'percentile-method',
            'json-layout',
            'csv-layout',
            'parquet-partition',
          ]),
        ),
        ...pickOptions(OUTPUT_OPTIONS, ['memory-limit']),
      },
    },
  ],
  examples: [
    {
      command: 'servelens recover artifacts/collect-20261121-081530',
      description: 'Write the exports of a run that was killed; its journal is kept',
    },
  ],
  notes: ['Exit codes: 0 success, 1 an export could not be written, 2 invalid arguments.'],
  run: async (raw, { io }) => {
    const { runRecover } = await import('../recover/recoverSession.ts');
    return runRecover(raw, io);
  },
};
