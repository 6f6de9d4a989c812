import type { Comparison, OptionDifference, OptionTopic } from '@org/analysis';
import { nameOption } from '../../../compare/optionNames.ts';
import type { Verdict } from '../../model/verdict.ts';

/** The metrics that can be compared, in one sentence. It precedes all effects. */
export interface Scope {
  readonly tone: Verdict['tone'];
  readonly sentence: string;
  /** The consequence for the effects. */
  readonly meaning: string;
  /** The topics of the settings whose values the sentence states. */
  readonly named: readonly OptionTopic[];
}

/** The topics that decide what may be compared, most important first, and what a difference means. */
const TOPICS: readonly (readonly [topics: readonly OptionTopic[], name: string, meaning: string])[] = [
  [
    ['servers'],
    'SERVERS',
    'Client metrics can be compared. Metrics of servers are compared only where both sides have them.',
  ],
  [
    ['load', 'command', 'number of requests'],
    'LOAD',
    'The changes are effects of the load as well: they say nothing about the servers alone.',
  ],
  [['model'], 'MODEL', 'The changes may come from the model.'],
  [
    ['input', 'endpoint', 'token counts'],
    'REQUESTS',
    'The changes may come from the requests, which have other contents or options.',
  ],
  [['hardware'], 'HARDWARE', 'The changes may come from the hardware.'],
  [['versions'], 'VERSION', 'The changes may come from the version.'],
  [['server settings'], 'SERVER SETTINGS', 'The changes may come from the settings of the servers.'],
];

/** Describes what can be compared, from the settings that differ. `names` are the names of the benchmarks. */
export function describeScope(comparisons: readonly Comparison[], names: readonly string[]): Scope {
  const same = comparisons.findIndex(isSameRun);
  if (same >= 0) return describeSameRun(names[same]!);
  const found = TOPICS.find(([topics]) =>
    comparisons.some(({ differences }) => differences.some(({ topic }) => topics.includes(topic))),
  );
  if (found) return describeTopic(found, comparisons, names);
  const unknown = comparisons.flatMap(({ base, new: others }) =>
    [...base, ...others].filter(({ inputConfig }) => Object.keys(inputConfig).length === 0),
  );
  if (unknown.length > 0)
    return {
      tone: 'unknown',
      sentence: `UNKNOWN SETTINGS: ${unknown[0]!.name} does not record its load.`,
      meaning: 'Whether the runs had the same load is not known, so the reason for a change is not known.',
      named: [],
    };
  const lengths = comparisons.find(({ differences }) =>
    differences.some(({ topic }) => topic === 'duration'),
  );
  if (lengths)
    return {
      tone: 'good',
      sentence: `SAME LOAD, OTHER LENGTH: ${formatTopics(lengths, ['duration'])}.`,
      meaning: 'Rates, means and percentiles can be compared; totals cannot.',
      named: ['duration'],
    };
  return {
    tone: 'good',
    sentence: 'SAME LOAD: no recorded setting of the load or of the servers differs.',
    meaning:
      'A change comes from the servers, from their environment, or from something that was not recorded.',
    named: [],
  };
}

function describeTopic(
  [topics, name, meaning]: (typeof TOPICS)[number],
  comparisons: readonly Comparison[],
  names: readonly string[],
): Scope {
  const affected = comparisons.flatMap((comparison, i) => {
    const text = formatTopics(comparison, topics);
    return text === '' ? [] : [{ name: names[i]!, text }];
  });
  const start = `NOT THE SAME ${name}:`;
  if (affected.length > MAX_NAMED) {
    const list = affected.map(each => each.name);
    const sentence = `${start} ${list.slice(0, -1).join(', ')} and ${list.at(-1)} differ from the baseline.`;
    return { tone: 'warning', sentence, meaning, named: [] };
  }
  const texts = affected.map(each => (comparisons.length === 1 ? each.text : `${each.name} ${each.text}`));
  return { tone: 'warning', sentence: `${start} ${texts.join('; ')}.`, meaning, named: topics };
}

/** The maximum number of benchmarks whose settings the sentence states. */
const MAX_NAMED = 2;

/** Formats the differences of some topics, such as `12 → 24 requests/s`. */
function formatTopics({ differences }: Comparison, topics: readonly OptionTopic[]): string {
  return differences
    .filter(({ topic }) => topics.includes(topic))
    .map(formatDifference)
    .join(', ');
}

function formatDifference({ option, unit, base, new: values }: OptionDifference): string {
  const format = (side: readonly string[]): string => (side.length === 0 ? 'none' : side.join(' and '));
  const change = `${format(base)} → ${format(values)}`;
  return unit === null ? `${nameOption(option)} ${change}` : `${change} ${unit}`;
}

/** Reports whether both sides contain the same run. */
function isSameRun({ base, new: others }: Comparison): boolean {
  return others.some(other =>
    base.some(
      run =>
        run.name === other.name ||
        (run.benchmarkId !== null &&
          run.benchmarkId === other.benchmarkId &&
          run.times.startNs !== undefined &&
          run.times.startNs === other.times.startNs),
    ),
  );
}

function describeSameRun(name: string): Scope {
  return {
    tone: 'warning',
    sentence: `THE SAME RUN TWICE: ${name} is also the baseline.`,
    meaning: 'All values are equal by definition. Compare two different runs.',
    named: [],
  };
}

/** Lists the settings that differ, such as `duration: 20 → 60 s`, without those that the sentence states. */
export function listDifferences(comparison: Comparison, { named }: Pick<Scope, 'named'>): string[] {
  const topics = [...new Set(comparison.differences.map(({ topic }) => topic))];
  return topics
    .filter(topic => !named.includes(topic))
    .map(topic => `${topic}: ${formatTopics(comparison, [topic])}`);
}
