import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fromPath, type Issue, validate } from '@org/formats';

/** The rule that warns about a response whose end is read late, which can happen on a busy machine. */
const LATE_RESPONSE_RULE = 'request-tail';

/** Validates all exports below a folder. Returns errors and warnings, except for late responses. */
export async function findIssues(folder: string): Promise<string[]> {
  return findMatchingIssues(folder, ({ rule }) => rule !== LATE_RESPONSE_RULE);
}

/** Validates all exports below a folder. Returns errors only. */
export async function findErrors(folder: string): Promise<string[]> {
  return findMatchingIssues(folder, ({ severity }) => severity === 'error');
}

async function findMatchingIssues(folder: string, matches: (issue: Issue) => boolean): Promise<string[]> {
  const names = (readdirSync(folder, { recursive: true }) as string[]).filter(name =>
    /\.(?:jsonl?|csv|parquet)$/.test(name),
  );
  if (names.length === 0) throw new Error(`no exports in ${folder}`);
  const issues = await Promise.all(
    names.map(async name =>
      (await validate(fromPath(join(folder, name)))).issues
        .filter(matches)
        .map(({ place, message }) => `${name} ${place}: ${message}`),
    ),
  );
  return issues.flat();
}
