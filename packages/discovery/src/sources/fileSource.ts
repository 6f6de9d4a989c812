import { type FSWatcher, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { describeSystemError } from '@org/core';
import type { Target, TargetSource } from '@org/scrape';
import { ChangeLatch } from './changeLatch.ts';
import { listMatchingFiles } from './filePattern.ts';
import { pollTargets } from './polling.ts';
import { SourceError } from './sourceError.ts';
import { parseTargetGroups } from './targetGroups.ts';

/** Time after a change of the folder until the files are read, so that a file is not read while it is written. */
const DEBOUNCE_MS = 200;

/** Targets in files in Prometheus' format, JSON or YAML. Files are read again when they change. */
export class FileSource implements TargetSource {
  readonly name: string;
  readonly #path: string;
  readonly #refreshMs: number;

  /** @param path absolute path, whose last part may be a pattern such as `*.json` */
  constructor(path: string, refreshMs: number) {
    this.name = `file_sd ${JSON.stringify(path)}`;
    this.#path = path;
    this.#refreshMs = refreshMs;
  }

  async *watch(signal: AbortSignal, onProblem: (message: string) => void): AsyncGenerator<readonly Target[]> {
    const latch = new ChangeLatch();
    const stopWatching = watchFolder(dirname(this.#path), () => latch.notify());
    try {
      const refreshMs = this.#refreshMs;
      yield* pollTargets({ read: () => readTargets(this.#path), refreshMs, latch, signal, onProblem });
    } finally {
      stopWatching();
    }
  }
}

/**
 * Calls `onChange` shortly after a change in a folder. A folder that cannot be watched is only read at regular times.
 * Returns a function that stops watching.
 */
function watchFolder(folder: string, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const debounce = (): void => {
    clearTimeout(timer);
    timer = setTimeout(onChange, DEBOUNCE_MS);
  };
  const watcher = tryWatch(folder, debounce);
  watcher?.on('error', () => watcher.close());
  return () => {
    clearTimeout(timer);
    watcher?.close();
  };
}

function tryWatch(folder: string, onChange: () => void): FSWatcher | undefined {
  try {
    return watch(folder, { persistent: false }, onChange);
  } catch {
    return undefined;
  }
}

async function readTargets(path: string): Promise<Target[]> {
  // The name of the source contains the path, unless it is a pattern.
  const read = (file: string): Promise<Target[]> =>
    readFileTargets(file, file === path ? 'the file' : JSON.stringify(file));
  const groups = await Promise.all(listFiles(path).map(read));
  return groups.flat();
}

function listFiles(path: string): string[] {
  try {
    return listMatchingFiles(path);
  } catch (error) {
    throw new SourceError(
      `cannot list the files ${JSON.stringify(path)}: ${describeSystemError(error)}; check the folder`,
    );
  }
}

async function readFileTargets(path: string, subject: string): Promise<Target[]> {
  const text = await readText(path, subject);
  return parseTargetGroups(
    extname(path) === '.json' ? parseJson(text, subject) : await parseYaml(text, subject),
    subject,
  );
}

async function readText(path: string, subject: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new SourceError(`cannot read ${subject}: ${describeSystemError(error)}`);
  }
}

function parseJson(text: string, subject: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SourceError(`${subject} is not valid JSON; expected a list of target groups`);
  }
}

/** Parses YAML. The parser is loaded only if there is such a file. */
async function parseYaml(text: string, subject: string): Promise<unknown> {
  const { YamlFile } = await import('@org/terminal/userFile');
  const file = new YamlFile(text);
  const value = file.problems.length === 0 ? file.toObject() : null;
  const [problem] = file.problems;
  if (problem === undefined) return value ?? [];
  throw new SourceError(`${subject}, line ${problem.line}: ${problem.message}`);
}
