import { FINDING_RULES, type FindingOptions } from '@org/analysis';
import {
  createOptionError,
  type OptionTable,
  option,
  type RawOptions,
  readList,
} from '@org/terminal/program';

/** Options of the commands that report findings. */
export const FINDING_OPTIONS: OptionTable = {
  'no-finding': option('ID', 'Finding to omit', { many: 'repeat' }),
  threshold: option('ID.NAME=NUMBER', 'Threshold of a finding, such as full-kv-cache.usage=0.95', {
    many: 'repeat',
  }),
};

/**
 * Parses `--no-finding ID` and `--threshold ID.NAME=NUMBER`.
 *
 * @throws UsageError for an unknown finding or threshold, or a value that is not a number
 */
export function parseFindingOptions(raw: RawOptions): FindingOptions {
  const without = readList(raw, 'no-finding');
  const ids = FINDING_RULES.map(({ id }) => id);
  for (const id of without)
    if (!ids.includes(id)) throw createOptionError('no-finding', id, `one of ${ids.join(', ')}`);
  const thresholds: Record<string, Record<string, number>> = {};
  for (const text of readList(raw, 'threshold')) {
    const [id, name, value] = parseThreshold(text);
    thresholds[id] = { ...thresholds[id], [name]: value };
  }
  return { without, thresholds };
}

function parseThreshold(text: string): [id: string, name: string, value: number] {
  const [, id = '', name = '', digits = ''] = /^([\w-]+)\.(\w+)=(.+)$/.exec(text) ?? [];
  const rule = FINDING_RULES.find(candidate => candidate.id === id);
  const value = Number(digits);
  if (rule && Object.hasOwn(rule.thresholds, name) && digits.trim() !== '' && Number.isFinite(value))
    return [id, name, value];
  throw createOptionError('threshold', text, describeExpectedThreshold(id, name));
}

function describeExpectedThreshold(id: string, name: string): string {
  const rule = FINDING_RULES.find(candidate => candidate.id === id);
  if (!rule)
    return 'ID.NAME=NUMBER, such as full-kv-cache.usage=0.95; summary --list-findings lists all thresholds';
  const names = Object.keys(rule.thresholds);
  if (names.length === 0) return `a finding with thresholds; ${id} has none`;
  if (!names.includes(name)) return `a threshold of ${id}: ${names.join(', ')}`;
  return 'a number after =';
}

/** Formats the output of `--list-findings`: all findings with their thresholds. */
export function formatFindingList(): string {
  return FINDING_RULES.map(({ id, severity, title, thresholds }) =>
    [
      `${id}  (${severity}) ${title}`,
      ...Object.entries(thresholds).map(([name, { value, meaning }]) => `    ${name}=${value}  ${meaning}`),
    ].join('\n'),
  ).join('\n');
}
