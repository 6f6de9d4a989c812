import { SERVERS_OPTION } from '@org/servers/option';
import { type Command, pickOptions } from '@org/terminal/program';
import { LIST_FILES_OPTION, OUTPUT_OPTIONS, withDefaultsOfRun } from '../options/output.ts';

/** `servelens recover`. */
export const recoverCommand: Command = {
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
            'compat',
            'server-metrics-formats',
            'slice-duration',
            'window',
            'percentile-method',
            'json-layout',
            'parquet-partition',
          ]),
        ),
        ...pickOptions(OUTPUT_OPTIONS, ['memory-limit']),
      },
    },
    { title: 'Servers', options: SERVERS_OPTION },
    { title: 'Display', options: LIST_FILES_OPTION },
  ],
  examples: [
    {
      command: 'servelens recover artifacts/collect-20261121-081530',
      description: 'Write the exports of a run that was killed; its journal is kept',
    },
  ],
  exitCodes: [
    ['0', 'success'],
    ['1', 'an export could not be written'],
    ['2', 'invalid arguments'],
  ],
  run: async (raw, { io }) => {
    const { runRecover } = await import('../recover/recoverSession.ts');
    return runRecover(raw, io);
  },
};
