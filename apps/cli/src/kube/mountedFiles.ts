import { readFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { describeSystemError } from '@org/core';
import { UsageError } from '@org/terminal';

/** Folder of the files of the ConfigMap in a pod. */
export const MOUNT_FOLDER = '/etc/servelens';

/** Options of `servelens profile` whose value is a file that users write. */
const FILE_OPTIONS: ReadonlySet<string> = new Set([
  ...['--config', '--input-file', '--request-rate-series', '--servers', '--system-prompt-file', '--ca-file'],
]);

/** Options whose value is a file with a secret, which must not be in a ConfigMap. */
const SECRET_FILE_OPTIONS: ReadonlySet<string> = new Set([
  ...['--bearer-token-file', '--basic-auth-file', '--cert-file', '--key-file'],
  ...['--discovery-bearer-token-file', '--discovery-basic-auth-file'],
]);

/** Maximum size of all files of a ConfigMap, in bytes: Kubernetes accepts 1 MiB, including names. */
const MAX_BYTES = 1_000_000;

/** The words of a command line with the paths of files in a pod, and the texts of these files by name. */
export interface MountedFiles {
  readonly words: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Reads the local files that options name. Paths that do not exist here are left as they are: they are paths in the image.
 * Throws `UsageError` if a file is too large for a ConfigMap, contains a secret, or is not a text.
 */
export function readMountedFiles(words: readonly string[], cwd: string): MountedFiles {
  const files: Record<string, string> = {};
  let bytes = 0;
  const mount = (option: string, value: string): string => {
    const path = resolve(cwd, value);
    if (SECRET_FILE_OPTIONS.has(option) && isFile(path))
      throw new UsageError(
        `${option} names a file with a secret, which a ConfigMap must not contain; mount a Secret in the printed manifest, and set ${option} to its path in the pod`,
      );
    if (!FILE_OPTIONS.has(option) || !isFile(path)) return value;
    const text = readText(option, path);
    bytes += Buffer.byteLength(text);
    if (bytes > MAX_BYTES)
      throw new UsageError(
        `the files of the options have more than ${MAX_BYTES} bytes, the limit of a ConfigMap; put ${value} into the image or the volume, and set ${option} to its path there`,
      );
    const name = findName(files, basename(path), text);
    files[name] = text;
    return `${MOUNT_FOLDER}/${name}`;
  };
  const mounted = words.map((word, index) => {
    const [, option, value] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
    if (option !== undefined) return `${option}=${mount(option, value!)}`;
    return mount(words[index - 1] ?? '', word);
  });
  return { words: mounted, files };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function readText(option: string, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    const reason = error instanceof TypeError ? 'not UTF-8 text' : describeSystemError(error);
    throw new UsageError(
      `cannot put the file of ${option} ${JSON.stringify(path)} into a ConfigMap: ${reason}`,
    );
  }
}

/** Returns a key of a ConfigMap for a file: its name with allowed characters, and a number if another file has it. */
function findName(files: Readonly<Record<string, string>>, name: string, text: string): string {
  const allowed = name.replace(/[^\w.-]/g, '_');
  for (let number = 1; ; number++) {
    const key = number === 1 ? allowed : `${number}-${allowed}`;
    if (key !== 'command.txt' && (files[key] ?? text) === text) return key;
  }
}
