import { readFile } from 'node:fs/promises';
import {
  checkRun,
  InvalidRuleError,
  openRun,
  parseAssertion,
  parseRules,
  type Rule,
  type RuleResult,
  toExitCode,
} from '@org/analysis';
import { describeSystemError } from '@org/core';
import { readServersOption, SERVERS_OPTION } from '@org/servers/option';
import { getTerminalWidth, UsageError } from '@org/terminal';
import {
  type Command,
  type CommandContext,
  type Io,
  isSet,
  OUTPUT_FLAGS,
  option,
  pickOptions,
  type RawOptions,
  readList,
} from '@org/terminal/program';
import { createScreen, readScreenOptions } from '../screen.ts';
import {
  buildCheckDocument,
  formatInvalidRule,
  renderCheckScreen,
  renderGithubAnnotations,
  renderJunit,
} from './report.ts';

/** The command `servelens read check`. */
export const checkCommand: Command = {
  arguments: [{ name: 'run', placeholder: 'RUN', description: 'Folder of a run, or one of its files' }],
  optionGroups: [
    {
      title: 'Rules',
      options: {
        rules: option('FILE', 'File with one rule per line', { many: 'repeat' }),
        assert: option('RULE', 'Rule, such as "vllm:num_requests_waiting.max < 10"', { many: 'repeat' }),
        baseline: option('RUN', 'Run that "baseline" in rules refers to: its folder, or one of its files'),
        ...SERVERS_OPTION,
      },
    },
    { title: 'Output', options: pickOptions(OUTPUT_FLAGS, ['json', 'junit', 'github']) },
  ],
  examples: [
    {
      command: 'servelens read check run1 --assert "vllm:request_success.rate > 5"',
      description: 'Check one rule',
    },
    {
      command: 'servelens read check run1 --rules gates.txt --baseline main --json',
      description: 'Check the rules in a file against an earlier run, and print JSON',
    },
  ],
  notes: [
    'With --quiet, the results are printed only if a rule fails. JSON and other output for programs is always printed.',
  ],
  exitCodes: [
    ['0', 'all rules hold'],
    ['1', 'a rule fails'],
    ['2', 'a rule cannot be evaluated, a run cannot be read, or the arguments are invalid'],
  ],
  run,
};

/** Checks a run against rules. Returns 0 if all rules hold, 1 if a rule fails, and 2 if a rule cannot be evaluated. */
async function run(raw: RawOptions, { io }: CommandContext): Promise<number> {
  const width = getTerminalWidth(io.stdout);
  try {
    const servers = await readServersOption(raw, io);
    const rules = await readRules(readList(raw, 'rules'), readList(raw, 'assert'));
    const checkedRun = await openRun(String(raw.run), { servers });
    const baseline =
      raw.baseline === undefined ? undefined : await openRun(String(raw.baseline), { servers });
    const results = checkRun(checkedRun, rules, baseline);
    const exitCode = toExitCode(results);
    if (exitCode !== 0 || isForProgram(raw) || !isSet(raw, 'quiet'))
      io.stdout.write(render(results, raw, io));
    return exitCode;
  } catch (error) {
    if (!(error instanceof InvalidRuleError)) throw error;
    throw new UsageError(formatInvalidRule(error, width));
  }
}

async function readRules(files: readonly string[], assertions: readonly string[]): Promise<Rule[]> {
  const rules: Rule[] = [];
  for (const file of files) rules.push(...parseRules(await readRuleFile(file), file));
  rules.push(...assertions.map(parseAssertion));
  if (rules.length > 0) return rules;
  const problem =
    files.length > 0 ? `no rules in ${files.join(', ')}` : 'missing rules; set --assert or --rules';
  throw new UsageError(`${problem}; see --help`);
}

async function readRuleFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read --rules ${JSON.stringify(file)}: ${describeSystemError(error)}`);
  }
}

function isForProgram(raw: RawOptions): boolean {
  return ['json', 'junit', 'github'].some(name => isSet(raw, name));
}

function render(results: readonly RuleResult[], raw: RawOptions, io: Io): string {
  const baseline = raw.baseline === undefined ? undefined : String(raw.baseline);
  if (raw.json === true)
    return `${JSON.stringify(buildCheckDocument(results, String(raw.run), baseline), null, 2)}\n`;
  if (raw.junit === true) return renderJunit(results, String(raw.run));
  if (raw.github === true) return renderGithubAnnotations(results);
  return `${renderCheckScreen(results, createScreen(readScreenOptions(io)))}\n`;
}
