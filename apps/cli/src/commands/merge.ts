import { type Command, flag, pickOptions } from '@org/terminal/program';
import { LIST_FILES_OPTION, OUTPUT_OPTIONS, withDefaultsOfRun } from '../options/output.ts';

const { 'artifact-dir': FOLDER, 'server-metrics-formats': FORMATS } = OUTPUT_OPTIONS;

/** `servelens merge`. */
export const mergeCommand: Command = {
  usage: 'SHARD... --output DIR [options]',
  arguments: [
    {
      name: 'shards',
      placeholder: 'SHARD',
      description: 'Folders of all shards of a run, in any order',
      isList: true,
    },
  ],
  optionGroups: [
    {
      title: 'Input',
      options: {
        prefix: {
          placeholder: 'NAME',
          description: 'Prefix of the files of the shards (--profile-export-prefix)',
        },
        'allow-missing': flag('Merge the given shards into an incomplete run if others are missing'),
      },
    },
    {
      title: 'Output',
      options: {
        output: {
          ...FOLDER!,
          aliases: ['o'],
          hiddenAliases: ['artifact-dir', 'output-artifact-dir'],
          description: 'Folder of the merged run; it must not contain a run',
          defaultText: 'required',
        },
        ...withDefaultsOfRun({ formats: { ...FORMATS!, hiddenAliases: ['server-metrics-formats'] } }),
        ...pickOptions(OUTPUT_OPTIONS, ['parquet-partition', 'memory-limit']),
      },
    },
    { title: 'Display', options: LIST_FILES_OPTION },
  ],
  examples: [
    {
      command: 'servelens merge shard-0 shard-1 shard-2 -o artifacts/run1',
      description: 'Join the runs of three processes that were started with --shard 0/3, 1/3 and 2/3',
    },
  ],
  exitCodes: [
    ['0', 'success'],
    ['1', 'an export could not be written'],
    ['2', 'invalid arguments, or the folders are not the shards of one run'],
  ],
  run: async (raw, context) => {
    const { runMerge } = await import('../merge/mergeSession.ts');
    return runMerge(raw, context);
  },
};
