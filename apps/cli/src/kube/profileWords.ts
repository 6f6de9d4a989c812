import { MAX_SHARDS } from '@org/core';
import { UsageError } from '@org/terminal';
import { parseCommandLine } from '@org/terminal/parse';
import { createOptionError, type Io, type Option, type RawOptions } from '@org/terminal/program';
import { profileCommand } from '../commands/profile.ts';

/** Options that each pod sets. */
const OWN_OPTIONS = ['shard', 'artifact-dir', 'ui', 'web'] as const;

/** A value that Kubernetes replaces by an environment variable. */
const VARIABLE = /^\$\([A-Za-z_]\w*\)$/;

/** Lists the options of `servelens profile` by name. */
export function listProfileOptions(): Map<string, Option> {
  return new Map(profileCommand.optionGroups.flatMap(({ options }) => Object.entries(options)));
}

/**
 * Checks the options of `servelens profile` as the first shard reads them, and returns them with a seed. Throws `UsageError` if
 * they are invalid, contain a secret or cannot be divided.
 */
export async function checkProfileOptions(
  words: readonly string[],
  shards: number,
  io: Io,
): Promise<readonly string[]> {
  const raw = parseCommandLine(profileCommand, words, 'servelens kube manifest -- PROFILE_OPTIONS...');
  const own = OWN_OPTIONS.find(name => raw[name] !== undefined);
  if (own !== undefined) throw new UsageError(`cannot use --${own} after --, because the manifest sets it`);
  rejectSecrets(raw);
  const seed = Math.floor(Math.random() * 2 ** 31);
  const seeded = raw['random-seed'] === undefined ? [...words, '--random-seed', String(seed)] : words;
  await checkPlan([...seeded, '--shard', `0/${Math.min(shards, MAX_SHARDS)}`], io);
  return seeded;
}

/** Throws `UsageError` if the value of a secret option would be printed in the manifest. */
function rejectSecrets(raw: RawOptions): void {
  for (const [name, { isSecret }] of listProfileOptions()) {
    const values = raw[name] === undefined ? [] : [raw[name]].flat();
    if (!isSecret || values.every(value => VARIABLE.test(String(value)))) continue;
    throw new UsageError(
      `--${name} may be a secret, which the manifest would contain; use --${name} '$(NAME)' with the name of a key of --secret`,
    );
  }
}

/** Reads the options like a shard does, except for options of repeated runs, which shards refuse. */
async function checkPlan(words: readonly string[], io: Io): Promise<void> {
  const { readConfigOption } = await import('../options/configOption.ts');
  const { readProfileOptions } = await import('../profile/profileOptions.ts');
  const { readProfileRuns } = await import('../profile/profileRuns.ts');
  const raw = parseCommandLine(profileCommand, words, 'servelens profile');
  const file = await readConfigOption(raw, io);
  if (file?.run)
    throw createOptionError(
      'config',
      raw.config,
      'a file without a run; print the options of the run with: servelens config expand',
    );
  if (readProfileRuns(raw, io, file) === undefined) readProfileOptions(raw, io, file);
}
