import { readFile } from 'node:fs/promises';
import {
  assertion,
  type Checked,
  check,
  exitCode,
  openRun,
  type Rule,
  RulesError,
  rulesOf,
} from '@org/analysis';
import { getTerminalWidth, shouldUseColor, UsageError } from '@org/terminal';
import type { Argv } from 'yargs';
import type { ReaderIo } from '../io.ts';
import { texts } from '../optionValues.ts';
import { lookOf } from '../screen.ts';
import { checkDocument, checkGithub, checkJunit, checkScreen, rulesErrorText } from './report.ts';

const many = { type: 'string', array: true, nargs: 1 } as const;

export function declareCheck(command: Argv): Argv {
  return command
    .positional('run', {
      type: 'string',
      demandOption: true,
      describe: 'Folder of a run, or one of its files',
    })
    .option('rules', { ...many, describe: 'A file with a rule on each line; more than once' })
    .option('assert', { ...many, describe: 'A rule; more than once' })
    .option('baseline', { type: 'string', nargs: 1, describe: 'The run that baseline stands for in rules' })
    .option('json', { type: 'boolean', describe: 'As JSON' })
    .option('junit', { type: 'boolean', describe: 'As JUnit XML' })
    .option('github', { type: 'boolean', describe: 'As annotations of GitHub Actions' })
    .conflicts('json', ['junit', 'github'])
    .conflicts('junit', 'github')
    .example('$0 check run1 --assert "vllm:e2e_request_latency_seconds.p99_estimate < 5s"', '')
    .example('$0 check run1 --rules gates.txt --baseline main --junit > check.xml', '')
    .epilogue('Exits with 0 when every rule holds, 1 when one does not, 2 when one cannot be told.');
}

/** Holds rules against a run: 0 when all hold, 1 when one does not, 2 when one cannot be told or read. */
export async function checkRun(raw: Readonly<Record<string, unknown>>, io: ReaderIo): Promise<number> {
  const width = getTerminalWidth(io.stdout);
  try {
    const rules = await rulesFor(texts(raw.rules), texts(raw.assert));
    const run = await openRun(String(raw.run));
    const baseline = raw.baseline === undefined ? undefined : await openRun(String(raw.baseline));
    const all = check(run, rules, baseline);
    io.stdout.write(rendered(all, raw, io));
    return exitCode(all);
  } catch (error) {
    if (!(error instanceof RulesError)) throw error;
    throw new UsageError(rulesErrorText(error, width));
  }
}

async function rulesFor(files: readonly string[], assertions: readonly string[]): Promise<Rule[]> {
  const rules: Rule[] = [];
  for (const file of files) rules.push(...rulesOf(await contentOf(file), file));
  rules.push(...assertions.map(assertion));
  if (rules.length > 0) return rules;
  const empty =
    files.length > 0 ? `there is no rule in ${files.join(', ')}` : 'name a rule with --assert or --rules';
  throw new UsageError(`${empty}; see --help`);
}

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read the rules in ${JSON.stringify(file)}: ${(error as Error).message}`);
  }
}

function rendered(all: readonly Checked[], raw: Readonly<Record<string, unknown>>, io: ReaderIo): string {
  const baseline = raw.baseline === undefined ? undefined : String(raw.baseline);
  if (raw.json === true) return `${JSON.stringify(checkDocument(all, String(raw.run), baseline), null, 2)}\n`;
  if (raw.junit === true) return checkJunit(all, String(raw.run));
  if (raw.github === true) return checkGithub(all);
  const look = lookOf({ width: getTerminalWidth(io.stdout), color: shouldUseColor(io.stdout, io.env) });
  return `${checkScreen(all, look)}\n`;
}
