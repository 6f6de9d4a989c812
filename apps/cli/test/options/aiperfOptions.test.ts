import { readFileSync } from 'node:fs';
import { parseCommandLine } from '@org/terminal/parse';
import { expect, test } from 'vitest';
import { profileCommand } from '../../src/commands/profile.ts';

/** An option of AIPerf: all its names, and its group in AIPerf's help. */
interface AiperfOption {
  readonly group: string;
  readonly names: readonly string[];
}

const repository = new URL('../../../../', import.meta.url);
const options: AiperfOption[] = JSON.parse(
  readFileSync(new URL('test/peers/aiperf/options.json', repository), 'utf8'),
);

type Status = 'available' | 'no effect' | 'not available yet' | 'unknown';

const own = listNames(...profileCommand.optionGroups.map(group => group.options));
const ignored = listNames(profileCommand.ignoredOptions ?? {});

test.each(options.flatMap(({ names }) => names))('--%s is known by its AIPerf name', name => {
  expect(findStatus(name)).not.toBe('unknown');
});

test('an option that is not available is not also declared', () => {
  const names = (profileCommand.unavailableOptions ?? []).flatMap(option => option.names);
  expect(names.filter(name => own.has(name) || ignored.has(name))).toEqual([]);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('docs/aiperf-options.md lists the status of every option', async () => {
  const groups = [...new Set(options.map(({ group }) => group))];
  const page = [
    '# Options of AIPerf',
    '',
    'The options of `aiperf profile` 0.13.0, and whether `servelens profile` has them. An option without effect is accepted and',
    'named in one line. An option that is not available yet is refused, with what to use instead.',
    '',
    describeCounts(),
    ...groups.flatMap(group => [
      '',
      `## ${group}`,
      '',
      '| option | in Servelens |',
      '| --- | --- |',
      ...listRows(group),
    ]),
    '',
  ];
  await expect(page.join('\n')).toMatchFileSnapshot(new URL('docs/aiperf-options.md', repository).pathname);
});

function describeCounts(): string {
  const statuses = options.map(({ names }) => findStatus(names[0]!));
  const count = (status: Status) => statuses.filter(entry => entry === status).length;
  return `Of ${options.length} options, ${count('available')} are available, ${count('no effect')} have no effect, and ${count('not available yet')} are not available yet.`;
}

function listRows(group: string): string[] {
  return options
    .filter(option => option.group === group)
    .map(({ names }) => {
      const [name = ''] = names;
      const instead = (profileCommand.unavailableOptions ?? []).find(part =>
        part.names.includes(name),
      )?.instead;
      const status = findStatus(name) + (instead === undefined ? '' : `: ${instead}`);
      return `| ${names.map(formatName).join(', ')} | ${status} |`;
    });
}

function formatName(name: string): string {
  return name.length === 1 ? `\`-${name}\`` : `\`--${name}\``;
}

/** Finds the status from what the parser does. */
function findStatus(name: string): Status {
  if (ignored.has(name)) return 'no effect';
  if (own.has(name)) return 'available';
  try {
    parseCommandLine(profileCommand, [`${name.length === 1 ? '-' : '--'}${name}`], 'servelens profile');
    return 'available';
  } catch (error) {
    return /is not available yet/.test(String(error)) ? 'not available yet' : 'unknown';
  }
}

function listNames(
  ...tables: readonly Readonly<
    Record<string, { aliases?: readonly string[]; hiddenAliases?: readonly string[] }>
  >[]
): Set<string> {
  return new Set(
    tables.flatMap(table =>
      Object.entries(table).flatMap(([name, { aliases = [], hiddenAliases = [] }]) => [
        name,
        ...aliases,
        ...hiddenAliases,
      ]),
    ),
  );
}
