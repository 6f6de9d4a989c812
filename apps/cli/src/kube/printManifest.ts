import { MAX_SHARDS } from '@org/core';
import { stringifyJson } from '@org/formats/write';
import { formatCommandLine } from '@org/run';
import { UsageError } from '@org/terminal';
import {
  type CommandContext,
  isSet,
  omitUndefined,
  type RawOptions,
  readNumber,
  readText,
} from '@org/terminal/program';
import { formatYaml } from '@org/terminal/userFile';
import { createJobObjects } from './jobObjects.ts';
import { readMountedFiles } from './mountedFiles.ts';
import { checkProfileOptions } from './profileWords.ts';

/** A name of a Kubernetes object, as a DNS label: other objects derive their names from it. */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,50}[a-z0-9])?$/;

/** Runs `servelens kube manifest`: prints the manifest. Returns the exit code. Throws `UsageError` if an option is invalid. */
export async function printManifest(raw: RawOptions, { io, childCommand }: CommandContext): Promise<number> {
  const shards = readNumber(raw, 'shards', { min: 1, max: MAX_SHARDS, isInteger: true }) ?? 1;
  const required = {
    image: readText(raw, 'image', 'an image'),
    claim: readText(raw, 'volume-claim', 'a name'),
  };
  if (required.image === undefined) throw new UsageError('missing --image; set an image such as servelens:1');
  if (required.claim === undefined)
    throw new UsageError(
      'missing --volume-claim; set a persistent volume claim for the results, which are otherwise lost when a pod ends',
    );
  if (!childCommand || childCommand.length === 0)
    throw new UsageError(
      'missing options after --; expected -- PROFILE_OPTIONS..., such as -- --model m --url URL',
    );
  const checked = await checkProfileOptions(childCommand, shards, io);
  const { words, files } = readMountedFiles(checked, io.cwd);
  const objects = createJobObjects({
    image: required.image,
    claim: readName(required.claim, 'volume-claim'),
    shards,
    name: readName(readText(raw, 'name', 'a name') ?? 'servelens', 'name'),
    namespace: readOptionalName(raw, 'namespace') ?? 'default',
    ...omitUndefined({ secret: readOptionalName(raw, 'secret') }),
    words,
    files: { 'command.txt': `${formatCommandLine(['profile', ...checked])}\n`, ...files },
  });
  const printed = isSet(raw, 'json')
    ? `${stringifyJson({ apiVersion: 'v1', kind: 'List', items: objects }, 2)}\n`
    : objects.map(object => formatYaml(object)).join('---\n');
  io.stdout.write(printed);
  return 0;
}

function readOptionalName(raw: RawOptions, option: string): string | undefined {
  const name = readText(raw, option, 'a name');
  return name === undefined ? undefined : readName(name, option);
}

function readName(name: string, option: string): string {
  if (NAME.test(name)) return name;
  throw new UsageError(
    `invalid --${option} ${JSON.stringify(name)}: expected up to 52 lower-case letters, digits and hyphens, such as servelens`,
  );
}
