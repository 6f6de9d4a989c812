import { type ReportFormat, validateFiles } from '@org/formats';
import { shouldUseColor } from '@org/terminal';
import { type Command, isSet, OUTPUT_FLAGS, pickOptions, readList } from '@org/terminal/program';
import { checkJournal } from '../validate/checkJournal.ts';

const REPORT_FORMATS = ['json', 'junit', 'github'] as const;

/** `servelens validate`. */
export const validateCommand: Command = {
  arguments: [
    {
      name: 'files',
      placeholder: 'PATH',
      description:
        'Files or URLs of exports of Servelens or AIPerf, journals, folders with them, or - for standard input',
      isList: true,
    },
  ],
  optionGroups: [
    {
      title: 'Options',
      options: {
        ...pickOptions(OUTPUT_FLAGS, REPORT_FORMATS),
        strict: { description: 'Report unknown fields, and fail on warnings' },
      },
    },
  ],
  examples: [
    { command: 'servelens validate artifacts/run1', description: 'Validate all exports of a run' },
    {
      command: 'servelens validate --json server_metrics_export.json',
      description: 'Validate one export and print the result as JSON',
    },
  ],
  notes: [
    'With --quiet, the report is printed only if a file is invalid. JSON and other output for programs is always printed.',
  ],
  exitCodes: [
    ['0', 'all files are valid'],
    ['1', 'a file is invalid'],
    ['2', 'a file or folder cannot be read, or invalid arguments'],
  ],
  run: async (raw, { io }) => {
    const format: ReportFormat = REPORT_FORMATS.find(name => raw[name] === true) ?? 'human';
    const { exitCode, report } = await validateFiles({
      files: readList(raw, 'files'),
      format,
      strict: raw.strict === true,
      checkJournal,
      color: shouldUseColor(io.stdout, io.env),
    });
    if (exitCode !== 0 || format !== 'human' || !isSet(raw, 'quiet')) io.stdout.write(report);
    return exitCode;
  },
};
