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
import { getTerminalWidth, shouldUseColor, UsageError } from '@org/terminal';
import type { Argv } from 'yargs';
import type { ReaderIo } from '../io.ts';
import { JSON_OPTION, type RawOptions, REPEATABLE, toTexts } from '../options.ts';
import { createScreen } from '../screen.ts';
import {
  buildCheckDocument,
  formatInvalidRule,
  renderCheckScreen,
  renderGithubAnnotations,
  renderJunit,
} from './report.ts';

export function declare(command: Argv): Argv {
  return command
    .positional('run', {
      type: 'string',
      demandOption: true,
      describe: 'Folder of a run, or one of its files',
    })
    .option('rules', { ...REPEATABLE, describe: 'File with one rule per line; repeatable' })
    .option('assert', {
      ...REPEATABLE,
      describe: 'Rule, such as "vllm:num_requests_waiting.max < 10"; repeatable',
    })
    .option('baseline', {
      type: 'string',
      nargs: 1,
      describe: 'Run that "baseline" in rules refers to: its folder, or one of its files',
    })
    .option('json', JSON_OPTION)
    .option('junit', { type: 'boolean', describe: 'Print JUnit XML' })
    .option('github', { type: 'boolean', describe: 'Print annotations for GitHub Actions' })
    .conflicts('json', ['junit', 'github'])
    .conflicts('junit', 'github')
    .example('$0 check run1 --assert "vllm:e2e_request_latency_seconds.p99_estimate < 5s"', '')
    .example('$0 check run1 --rules gates.txt --baseline main --junit > check.xml', '')
    .epilogue(
      'Exit codes: 0 all rules hold, 1 a rule fails, 2 a rule cannot be evaluated or the arguments are invalid.',
    );
}

/** Checks a run against rules; exits with 0 if all hold, 1 if one fails, 2 if one cannot be evaluated. */
export async function run(raw: RawOptions, io: ReaderIo): Promise<number> {
  const width = getTerminalWidth(io.stdout);
  try {
    const rules = await readRules(toTexts(raw.rules), toTexts(raw.assert));
    const opened = await openRun(String(raw.run));
    const baseline = raw.baseline === undefined ? undefined : await openRun(String(raw.baseline));
    const results = checkRun(opened, rules, baseline);
    io.stdout.write(render(results, raw, io));
    return toExitCode(results);
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
    throw new UsageError(`cannot read the rules in ${JSON.stringify(file)}: ${(error as Error).message}`);
  }
}

function render(results: readonly RuleResult[], raw: RawOptions, io: ReaderIo): string {
  const baseline = raw.baseline === undefined ? undefined : String(raw.baseline);
  if (raw.json === true)
    return `${JSON.stringify(buildCheckDocument(results, String(raw.run), baseline), null, 2)}\n`;
  if (raw.junit === true) return renderJunit(results, String(raw.run));
  if (raw.github === true) return renderGithubAnnotations(results);
  const screen = createScreen({
    width: getTerminalWidth(io.stdout),
    color: shouldUseColor(io.stdout, io.env),
  });
  return `${renderCheckScreen(results, screen)}\n`;
}
