import { findSimilarWord } from '@org/terminal';
import type { FileProblem, Path, YamlFile } from '@org/terminal/userFile';
import { formatPath } from '@org/terminal/userFile';

/** An option that a value of a run file sets. */
export interface FileOption {
  /** Name without dashes, as AIPerf or Servelens calls the option. */
  readonly name: string;
  /** The values, as on the command line; a flag has the value `true` or `false`. */
  readonly values: readonly string[];
  readonly path: Path;
}

/** Reads one value of a run file. The value is neither undefined nor null. */
export type Field = (value: unknown, path: Path, reader: RunFileReader) => void;

/** The fields of a section, by key in camel case. */
export type Section = Readonly<Record<string, Field>>;

/** Collects the options that a run file sets, and its problems. */
export class RunFileReader {
  readonly options: Map<string, FileOption> = new Map();
  /** Paths of values that have no effect. */
  readonly ignored: string[] = [];
  readonly problems: FileProblem[] = [];
  readonly #file: YamlFile;
  #records: { readonly lines: readonly string[]; readonly path: Path } | undefined;

  constructor(file: YamlFile) {
    this.#file = file;
  }

  set(name: string, values: readonly string[], path: Path): void {
    this.options.set(name, { name, values, path });
  }

  /** Adds a value to an option that takes several values. */
  add(name: string, value: string, path: Path): void {
    this.set(name, [...(this.options.get(name)?.values ?? []), value], path);
  }

  /** Sets the requests of the run, as lines of an input file. */
  setRecords(lines: readonly string[], path: Path): void {
    this.#records = { lines, path };
  }

  get records(): { readonly lines: readonly string[]; readonly path: Path } | undefined {
    return this.#records;
  }

  ignore(path: Path): void {
    this.ignored.push(formatPath(path));
  }

  /** Reports a problem. `text` follows the path in the message. */
  report(path: Path, text: string): void {
    this.problems.push(this.#file.createProblem(path, `${formatPath(path)} ${text}`));
  }

  reportUnknownKey(path: Path, key: string, knownKeys: readonly string[]): void {
    const similar = findSimilarWord(key, knownKeys);
    const hint = similar === undefined ? '' : ` (did you mean ${similar}?)`;
    const place = path.length === 0 ? '' : ` in ${formatPath(path)}`;
    const message = `unknown key ${JSON.stringify(key.slice(0, 80))}${place}${hint}; expected ${knownKeys.join(', ')}`;
    this.problems.push(this.#file.createKeyProblem(path, key, message));
  }

  /** Reports a value that Servelens cannot use yet. */
  reportMissing(path: Path, instead?: string): void {
    this.report(
      path,
      `is AIPerf's; not in Servelens yet${instead === undefined ? '' : `; instead, ${instead}`}`,
    );
  }
}

/** Reads all keys of a mapping with the fields of a section. Keys may be in snake case or camel case. */
export function readSection(value: unknown, path: Path, fields: Section, reader: RunFileReader): void {
  if (!isMapping(value)) {
    reader.report(path, `has an unexpected type; expected a mapping with ${Object.keys(fields).join(', ')}`);
    return;
  }
  const seen = new Set<string>();
  for (const [key, child] of Object.entries(value)) {
    const name = toCamelCase(key);
    if (!Object.hasOwn(fields, name)) reader.reportUnknownKey(path, key, Object.keys(fields));
    else if (seen.has(name)) reader.report([...path, key], 'is set twice, in snake case and in camel case');
    else if (child !== null && child !== undefined) fields[name]!(child, [...path, key], reader);
    seen.add(name);
  }
}

/** Reports whether a value is a mapping. */
export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value of a key in camel case or snake case; undefined if the mapping does not have the key. */
export function getField(
  value: Readonly<Record<string, unknown>>,
  name: string,
): { readonly key: string; readonly value: unknown } | undefined {
  const key = Object.keys(value).find(candidate => toCamelCase(candidate) === name);
  return key === undefined || value[key] === null ? undefined : { key, value: value[key] };
}

/** Converts a key such as `turn_delay` to camel case. */
export function toCamelCase(key: string): string {
  return key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
