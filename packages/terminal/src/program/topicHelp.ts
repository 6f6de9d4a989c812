import type { Command, HelpEntry } from './command.ts';
import {
  createArgumentSections,
  createOptionSection,
  createOptionSections,
  formatUsage,
  renderCommandHelp,
  renderHelp,
} from './help.ts';
import type { Option, OptionGroup } from './option.ts';
import { findSimilarWord, UsageError } from './usageError.ts';

/** The topic of all options. */
const ALL = 'all';

/**
 * Renders the help of a command with `commonOptions`: these options, or the options of `topic`. A topic is a group of
 * options, one option, or `all`.
 *
 * @throws UsageError if there is no such topic
 */
export function renderTopicHelp(
  name: string,
  summary: string,
  command: Command,
  topic: string | undefined,
  width: number,
): string {
  if (topic === undefined) return renderShortHelp(name, summary, command, width);
  if (topic === ALL) return renderCommandHelp(name, summary, command, width);
  const group = findTopic(command.optionGroups, topic);
  const more = { term: `${name} --help`, description: 'Common options, and a list of topics' };
  return renderHelp(
    {
      usage: formatUsage(name, command),
      sections: [createOptionSection(group), { title: 'More help', entries: [more] }],
    },
    width,
  );
}

/** Renders the common options of a command by group, examples, and how to see the other options. */
function renderShortHelp(name: string, summary: string, command: Command, width: number): string {
  const { commonOptions = [], optionGroups, examples } = command;
  const groups = optionGroups.flatMap(({ title, options }): OptionGroup[] => {
    const common = Object.entries(options).filter(([option]) => commonOptions.includes(option));
    return common.length === 0 ? [] : [{ title, options: Object.fromEntries(common) }];
  });
  return renderHelp(
    {
      usage: formatUsage(name, command),
      description: `${summary}. This page shows the common options.`,
      sections: [
        ...createArgumentSections(command.arguments ?? []),
        ...createOptionSections(groups),
        { title: 'More help', entries: listTopics(name, command) },
      ],
      examples,
    },
    width,
  );
}

function listTopics(name: string, { optionGroups: groups, commonOptions = [] }: Command): HelpEntry[] {
  const [example] = commonOptions;
  const count = groups.reduce((sum, { options }) => sum + Object.keys(options).length, 0);
  const topics = groups.flatMap(({ topic }) => topic ?? []);
  return [
    { term: `${name} --help TOPIC`, description: `Options of a topic: ${topics.join(', ')}` },
    { term: `${name} --help OPTION`, description: `One option, such as --help ${example}` },
    { term: `${name} --help ${ALL}`, description: `All ${count} options, and the exit codes` },
  ];
}

/** Finds the options of a topic. An option is a topic with only this option. */
function findTopic(groups: readonly OptionGroup[], topic: string): OptionGroup {
  const group = groups.find(candidate => candidate.topic === topic);
  if (group) return group;
  const option = topic.replace(/^--?/, '').replace(/=.*/s, '');
  for (const { title, options } of groups) {
    const found = Object.entries(options).find(([key, declaration]) =>
      listNames(key, declaration).includes(option),
    );
    if (found) return { title, options: Object.fromEntries([found]) };
  }
  const topics = groups.flatMap(candidate => candidate.topic ?? []);
  const options = groups.flatMap(candidate => Object.entries(candidate.options));
  const names = options.flatMap(([key, declaration]) => listNames(key, declaration));
  const similar = findSimilarWord(option, [...topics, ...names]);
  const hint =
    similar === undefined
      ? `expected ${ALL}, an option, or one of ${topics.join(', ')}`
      : `did you mean ${similar}?`;
  throw new UsageError(`unknown help topic ${JSON.stringify(topic)}; ${hint}`);
}

function listNames(name: string, { aliases = [], hiddenAliases = [] }: Option): string[] {
  return [name, ...aliases, ...hiddenAliases];
}
