import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Runs buildah with its storage in a folder, without privileges that containers may lack. */
export class Buildah {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Runs a command of buildah, and returns its stdout. */
  run(...args: readonly string[]): string {
    const storage = ['--storage-driver', 'vfs', '--root', join(this.#folder, 'root')];
    const runRoot = ['--runroot', join(this.#folder, 'run')];
    return execFileSync('buildah', [...storage, ...runRoot, ...args], {
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  }

  /** Creates a base image that contains only the libraries that an executable needs. */
  createBase(image: string, executable: string): void {
    const base = join(this.#folder, 'base');
    const libraries = execFileSync('ldd', [executable], { encoding: 'utf8' }).match(/\/\S+/g) ?? [];
    for (const library of libraries) {
      mkdirSync(join(base, dirname(library)), { recursive: true });
      copyFileSync(library, join(base, library));
    }
    const container = this.run('from', 'scratch');
    this.run('copy', container, base, '/');
    this.run('commit', container, image);
  }
}

/** Reports whether buildah is installed. */
export function isBuildahInstalled(): boolean {
  return spawnSync('buildah', ['--version']).status === 0;
}
