import { MISSING_DATA, SOURCES } from '@org/record/open';
import { SERVERS_OPTION } from '@org/servers/option';
import { type Command, pickOptions } from '@org/terminal/program';
import { LIST_FILES_OPTION, OUTPUT_OPTIONS, withDefaultsOfRun } from '../options/output.ts';

const { 'artifact-dir': FOLDER, 'server-metrics-formats': FORMATS, 'slice-duration': SLICE } = OUTPUT_OPTIONS;

/** `servelens export`. */
export const exportCommand: Command = {
  arguments: [
    {
      name: 'run',
      placeholder: 'RUN',
      description: 'Folder of a run, or its journal, Parquet or JSONL file',
    },
  ],
  optionGroups: [
    {
      title: 'Input',
      options: {
        from: {
          placeholder: 'SOURCE',
          choices: SOURCES,
          description: 'File to read samples from',
          defaultText:
            "the first of journal, parquet and jsonl that exists; of AIPerf's runs, jsonl before parquet",
        },
        prefix: {
          placeholder: 'NAME',
          description: 'Prefix of the files of the run, if the folder contains several runs',
        },
        start: {
          placeholder: 'TIME',
          description: 'Start of the time range',
          defaultText: 'start of profiling',
        },
        end: {
          placeholder: 'TIME',
          description: 'End of the time range',
          defaultText: 'end of profiling',
        },
        window: {
          placeholder: 'RANGE',
          description:
            'Time range: START..END, run, warmup, profiling or aiperf; conflicts with --start and --end',
          conflicts: ['start', 'end'],
        },
      },
    },
    {
      title: 'Output',
      options: {
        output: {
          ...FOLDER!,
          aliases: ['o', 'artifact-dir'],
          hiddenAliases: ['output-artifact-dir'],
          description: 'Folder to write exports to; existing exports of the run are never overwritten',
          defaultText: 'folder of the run',
        },
        ...withDefaultsOfRun({
          ...pickOptions(OUTPUT_OPTIONS, ['compat']),
          formats: { ...FORMATS!, hiddenAliases: ['server-metrics-formats'] },
          'slice-duration': {
            ...SLICE!,
            placeholder: 'SECONDS|none',
            description: 'Duration of a timeslice in seconds; none omits timeslice statistics',
          },
          ...pickOptions(OUTPUT_OPTIONS, ['percentile-method', 'json-layout']),
        }),
        ...pickOptions(OUTPUT_OPTIONS, ['parquet-partition', 'memory-limit']),
      },
    },
    { title: 'Servers', options: SERVERS_OPTION },
    { title: 'Display', options: LIST_FILES_OPTION },
  ],
  sections: [
    {
      title: 'Data missing in each source',
      entries: SOURCES.map(kind => ({ term: kind, description: MISSING_DATA[kind] })),
    },
  ],
  examples: [
    {
      command: 'servelens export artifacts/run1 --slice-duration 5 --output run1-sliced',
      description: 'Add timeslices of 5 s',
    },
    {
      command: 'servelens export artifacts/run1 --start 30 --end 90 --output steady',
      description: 'Export the range from 30 s to 90 s after the start of profiling',
    },
    {
      command: 'servelens export artifacts/run1 --compat aiperf-0.13 -o aiperf',
      description: 'Write the files that AIPerf 0.13.0 would write',
    },
  ],
  notes: [
    '--window aiperf covers the scrapes that AIPerf covers, including those after the end of the load.',
    'TIME is in seconds relative to the start of profiling (10, -2.5), an ISO 8601 timestamp (2026-11-21T08:15:30Z), or a Unix time in nanoseconds.',
  ],
  exitCodes: [
    ['0', 'success'],
    ['1', 'an export could not be written'],
    ['2', 'invalid arguments'],
  ],
  run: async (raw, { io }) => {
    const { runExport } = await import('../export/exportSession.ts');
    return runExport(raw, io);
  },
};
