import { readServersOption } from '@org/servers/option';
import { UsageError } from '@org/terminal';
import { parseCommandLine } from '@org/terminal/parse';
import type { Command, RawOptions } from '@org/terminal/program';
import { expect, test } from 'vitest';
import { readCollectOptions } from '../../src/collect/collectOptions.ts';
import { collectCommand } from '../../src/commands/collect.ts';
import { profileCommand } from '../../src/commands/profile.ts';
import { readConfigOption } from '../../src/options/configOption.ts';
import { readConnection } from '../../src/options/connection.ts';
import { readDiscovery } from '../../src/options/discovery.ts';
import { describeIneffectiveOptions } from '../../src/profile/ineffectiveOptions.ts';
import { readProfileOptions } from '../../src/profile/profileOptions.ts';
import { readProfileRuns } from '../../src/profile/profileRuns.ts';
import { createIo } from '../support/io.ts';
import {
  COLLECT_SAMPLES,
  type OptionSamples,
  PROFILE_SAMPLES,
  writeSampleFiles,
} from '../support/optionSamples.ts';
import { splitWords } from '../support/options.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const cwd = makeSuiteFolder();
writeSampleFiles(cwd);
const io = createIo(cwd);

/** A command whose options are read without running it. */
interface Subject {
  readonly command: Command;
  readonly samples: OptionSamples;
  /** Options that are always set, unless a sample sets them. */
  readonly base: string;
  /** Returns everything that a run depends on. */
  readonly read: (raw: RawOptions) => Promise<unknown>;
  /** Returns notes about options that have no effect. */
  readonly describeIneffective?: (raw: RawOptions) => Promise<readonly string[]>;
}

async function readProfile(given: RawOptions) {
  const raw = { 'random-seed': '7', ...given };
  const file = await readConfigOption(raw, io);
  const servers = await readServersOption(raw, io);
  const discovery = await readDiscovery(raw, io, readConnection(raw, cwd, 'server-metrics-header'), file);
  const runs = readProfileRuns(raw, io, file, servers, discovery);
  const options = runs?.options ?? [readProfileOptions(raw, io, file, servers, discovery)];
  return { raw, runs, options, discovery };
}

const PROFILE: Subject = {
  command: profileCommand,
  samples: PROFILE_SAMPLES,
  base: '--model m',
  read: async raw => {
    const { runs, options, discovery } = await readProfile(raw);
    return { runs: runs?.runs, options, discovery };
  },
  describeIneffective: async options => {
    const { raw, runs, options: all } = await readProfile(options);
    const plans = all.map(({ plan }) => plan);
    return describeIneffectiveOptions(raw, plans, runs?.runs);
  },
};

const COLLECT: Subject = {
  command: collectCommand,
  samples: COLLECT_SAMPLES,
  base: '--server-metrics 127.0.0.1:9',
  read: raw => readCollectOptions(raw, { io }, 'run'),
};

/** Options that may state what applies anyway because of another option. */
const STATED_DEFAULTS: readonly string[] = [
  'fixed-schedule',
  'force-min-tokens',
  'no-fixed-schedule',
  'open-loop-replay',
  // The paths and timeouts of both imply them.
  'reset-kv-cache',
  'server-profiler',
  'sweep-type',
  'token-count',
  'ui',
  'warmup-arrival-pattern',
];

/** Pairs whose first option has an effect on other shards than the shard of the sample. */
const OTHER_SHARDS: readonly string[] = ['server-metrics with shard', 'config with shard'];

/** Options whose files JSON omits, so that they cannot be compared. */
const TLS_OPTIONS: readonly string[] = ['ca-file', 'cert-file', 'key-file'];

/** Lists the pairs of options that are accepted without a note, although one of them changes nothing. */
async function findIneffectivePairs({
  command,
  samples,
  base,
  read,
  describeIneffective,
}: Subject): Promise<string[]> {
  const parse = (words: string): RawOptions => parseCommandLine(command, splitWords(words), '');
  const defaults = parse(base);
  /** Returns the options that `words` change. */
  const readChanges = (words: string): RawOptions =>
    Object.fromEntries(
      Object.entries(parse(words)).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name]),
      ),
    );
  const changes = new Map(
    Object.entries(samples).map(([name, { words, requires = '' }]) => [
      name,
      { own: readChanges(words), required: readChanges(requires) },
    ]),
  );
  const cache = new Map<string, Promise<string | undefined>>();
  /** Returns everything that a run depends on as text; undefined if the options are refused. */
  const describe = (raw: RawOptions): Promise<string | undefined> => {
    const key = JSON.stringify(Object.entries(raw).toSorted());
    const description = cache.get(key) ?? describeRun(raw);
    cache.set(key, description);
    return description;
  };
  const describeRun = async (raw: RawOptions): Promise<string | undefined> => {
    try {
      return JSON.stringify(await read(raw));
    } catch (error) {
      if (error instanceof UsageError) return undefined;
      throw error;
    }
  };
  const findIneffective = async (first: string, second: string): Promise<string[]> => {
    const [a, b] = [changes.get(first)!, changes.get(second)!];
    const required = { ...defaults, ...a.required, ...b.required };
    const others = { ...required, ...b.own };
    const all = { ...others, ...a.own };
    const isRepeated = JSON.stringify(Object.entries(all)) === JSON.stringify(Object.entries(others));
    const described = await describe(all);
    if (isRepeated || described === undefined || described !== (await describe(others))) return [];
    const notes = (await describeIneffective?.(all)) ?? [];
    if (notes.some(note => note.startsWith(`--${first} has no effect `))) return [];
    const pair = `${first} with ${second}`;
    return OTHER_SHARDS.includes(pair) ? [] : [pair];
  };
  const names = [...changes.keys()];
  const found: string[] = [];
  for (const first of names)
    for (const second of names)
      if (first !== second && !STATED_DEFAULTS.includes(first) && !TLS_OPTIONS.includes(first))
        found.push(...(await findIneffective(first, second)));
  return found;
}

/** Pairs of options take minutes on a busy machine. */
const MAX_MS = 900_000;

test(
  'every option of profile has an effect with every other option, is refused, or is named in a note',
  async () => {
    expect(await findIneffectivePairs(PROFILE)).toEqual([]);
  },
  MAX_MS,
);

test(
  'every option of collect has an effect with every other option, or is refused',
  async () => {
    expect(await findIneffectivePairs(COLLECT)).toEqual([]);
  },
  MAX_MS,
);
