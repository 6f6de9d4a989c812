import { FINDING_RULES, type FindingOptions } from '@org/analysis';
import { UsageError } from '@org/terminal';
import type { Options } from 'yargs';

/** A text at a time, more than once. */
const MANY = { type: 'string', array: true, nargs: 1 } as const;

/** What a command that tells findings takes. */
export const FINDING_OPTIONS: { readonly [option: string]: Options } = {
  'no-finding': { ...MANY, describe: 'Leave out a finding, by its id; more than once' },
  threshold: { ...MANY, describe: 'Another threshold: ID.NAME=NUMBER; more than once' },
};

/**
 * `--no-finding ID` and `--threshold ID.NAME=VALUE` as options.
 *
 * @throws UsageError for a rule or threshold that there is not, or a value that is no number.
 */
export function findingOptions(without: readonly string[], thresholds: readonly string[]): FindingOptions {
  const ids = FINDING_RULES.map(({ id }) => id);
  for (const id of without)
    if (!ids.includes(id)) throw new UsageError(`--no-finding ${id}: there are ${ids.join(', ')}`);
  const changed: Record<string, Record<string, number>> = {};
  for (const text of thresholds) {
    const [id, name, value] = thresholdOf(text);
    changed[id] = { ...changed[id], [name]: value };
  }
  return { without, thresholds: changed };
}

function thresholdOf(text: string): [id: string, name: string, value: number] {
  const [, id = '', name = '', figures = ''] = /^([\w-]+)\.(\w+)=(.+)$/.exec(text) ?? [];
  const rule = FINDING_RULES.find(one => one.id === id);
  const value = Number(figures);
  if (rule && Object.hasOwn(rule.thresholds, name) && figures.trim() !== '' && Number.isFinite(value))
    return [id, name, value];
  throw new UsageError(`--threshold ${text}: ${accepted(id, name)}`);
}

function accepted(id: string, name: string): string {
  const rule = FINDING_RULES.find(one => one.id === id);
  if (!rule)
    return 'expected RULE.NAME=NUMBER, such as kv-cache-full.usage=0.95; --list-findings has them all';
  const names = Object.keys(rule.thresholds);
  if (names.length === 0) return `${id} has no thresholds`;
  if (!names.includes(name)) return `${id} has ${names.join(', ')}`;
  return 'expected a number behind the =';
}

/** `--list-findings`: every rule with its thresholds, as text. */
export function findingList(): string {
  return FINDING_RULES.map(({ id, weight, title, thresholds }) =>
    [
      `${id}  (${weight}) ${title}`,
      ...Object.entries(thresholds).map(([name, { value, meaning }]) => `    ${name}=${value}  ${meaning}`),
    ].join('\n'),
  ).join('\n');
}
