import type { ConfigFile } from '@org/discovery/config';
import { UsageError } from '@org/terminal';
import { type Command, type Io, isSet, OUTPUT_FLAGS, pickOptions } from '@org/terminal/program';
import { checkFile, type FileDescription } from '../runFile/checkFile.ts';

/** `servelens config expand`. */
export const expandCommand: Command = {
  arguments: [{ name: 'file', placeholder: 'FILE', description: 'YAML or JSON file that describes a run' }],
  optionGroups: [{ title: 'Output', options: pickOptions(OUTPUT_FLAGS, ['json']) }],
  examples: [
    {
      command: 'servelens config expand run.yaml',
      description:
        'Show the file with variables filled in, the plan, and the command line; secrets are hidden',
    },
  ],
  exitCodes: [
    ['0', 'the file is valid'],
    ['1', 'the file is invalid'],
    ['2', 'the file cannot be read or describes no run, or the arguments are invalid'],
  ],
  run: (raw, { io }) => {
    const path = String(raw.file);
    return checkFile({ path, isJson: isSet(raw, 'json'), isQuiet: false, io }, file =>
      expand(path, file, io),
    );
  },
};

async function expand(path: string, config: ConfigFile, io: Io): Promise<FileDescription> {
  if (!config.run)
    throw new UsageError(`${path} describes no run; expected the key benchmark; see servelens config init`);
  const { profileCommand } = await import('./profile.ts');
  const { planRunFile } = await import('../runFile/planRun.ts');
  const { countRuns, describePlan, formatRunCommand, listRunWords } = await import(
    '../runFile/describeRun.ts'
  );
  const { redactRun } = await import('../runFile/redactRun.ts');
  const { formatYaml, UserFileError } = await import('@org/terminal/userFile');
  const { problems, planned } = await planRunFile(profileCommand, config, io);
  if (!planned) throw new UserFileError(path, problems);
  const contents = redactRun(planned.file.contents);
  return {
    text: [formatYaml(contents), describePlan(planned).join('\n'), '', formatRunCommand(planned)].join('\n'),
    document: {
      runs: countRuns(planned),
      folder: planned.first.plan.folder,
      contents,
      command: listRunWords(planned),
    },
  };
}
