import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runOrThrow } from './command.ts';

/** A program that is built from Go modules. */
export interface GoProgram {
  /** Folder with go.mod, which pins the versions of all modules, and with the source files. */
  readonly source: string;
  readonly files: readonly string[];
  /** The package of the program; by default the one in `source`. */
  readonly package?: string;
  /** Build tags, separated by commas. */
  readonly tags?: string;
}

const BUILD_TIMEOUT_MS = 7_200_000;

/** Returns the text of the sources, on which the program depends. Rejects if Go is not installed. */
export async function readGoSources({ source, files }: GoProgram): Promise<string> {
  await runOrThrow('go', ['version']);
  return files.map(name => readFileSync(join(source, name), 'utf8')).join('\n');
}

/**
 * Builds a program into `folder`, as the file `name`, with the versions in go.mod. The sources are copied, because Go adds
 * checksums to their folder.
 */
export async function buildGoProgram(program: GoProgram, folder: string, name: string): Promise<void> {
  const build = join(folder, 'build');
  mkdirSync(build);
  for (const file of program.files) cpSync(join(program.source, file), join(build, file));
  const tags = program.tags === undefined ? [] : ['-tags', program.tags];
  const output = ['-o', join(folder, name), program.package ?? '.'];
  await runOrThrow('nice', ['go', 'build', '-mod=mod', '-ldflags=-s -w', ...tags, ...output], {
    cwd: build,
    env: { GOFLAGS: '' },
    timeoutMs: BUILD_TIMEOUT_MS,
  });
  rmSync(build, { recursive: true });
}
