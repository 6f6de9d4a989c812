import type { ConfigFile } from '@org/discovery/config';
import { UsageError } from '@org/terminal';
import type { Command, Io } from '@org/terminal/program';
import { checkFile } from '../runFile/checkFile.ts';

/** `servelens config expand`. */
export const expandCommand: Command = {
  arguments: [{ name: 'file', placeholder: 'FILE', description: 'YAML or JSON file that describes a run' }],
  optionGroups: [],
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
    return checkFile(path, io, file => expand(path, file, io));
  },
};

async function expand(path: string, config: ConfigFile, io: Io): Promise<string> {
  if (!config.run)
    throw new UsageError(`${path} describes no run; expected the key benchmark; see servelens config init`);
  const { profileCommand } = await import('./profile.ts');
  const { planRunFile } = await import('../runFile/planRun.ts');
  const { describePlan, formatRunCommand } = await import('../runFile/describeRun.ts');
  const { redactRun } = await import('../runFile/redactRun.ts');
  const { formatYaml, UserFileError } = await import('@org/terminal/userFile');
  const { problems, planned } = await planRunFile(profileCommand, config, io);
  if (!planned) throw new UserFileError(path, problems);
  return [
    formatYaml(redactRun(planned.file.contents)),
    describePlan(planned).join('\n'),
    '',
    formatRunCommand(planned),
  ].join('\n');
}
