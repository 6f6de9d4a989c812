import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root folder of the repository. */
export const root: string = dirname(dirname(fileURLToPath(import.meta.url)));

/** A workspace package: its folder and its package.json. */
export interface Workspace {
  readonly folder: string;
  readonly name: string;
  readonly manifest: {
    readonly name: string;
    readonly private?: boolean;
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly optionalDependencies?: Readonly<Record<string, string>>;
    readonly peerDependencies?: Readonly<Record<string, string>>;
    readonly devDependencies?: Readonly<Record<string, string>>;
    readonly exports?: Readonly<Record<string, { readonly types: string; readonly default: string }>>;
  };
}

export function readWorkspaces(): Workspace[] {
  const folders = ['packages', 'apps'].flatMap(top =>
    readdirSync(join(root, top)).map(name => join(top, name)),
  );
  return [...folders, 'benchmarks']
    .filter(folder => existsSync(join(root, folder, 'package.json')))
    .map(folder => {
      const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      return { folder, name: manifest.name, manifest };
    });
}

/** A source file and its import specifiers. */
export interface Source {
  /** Path relative to the root, with forward slashes. */
  readonly path: string;
  readonly imports: readonly string[];
  readonly text: string;
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s(?:[^'";]*?\sfrom\s)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;

/** Returns all TypeScript sources of a package, including generated ones. */
export function readSources(workspace: Workspace): Source[] {
  return listFiles(join(root, workspace.folder, 'src')).map(file => {
    const text = readFileSync(file, 'utf8');
    const imports = [...text.matchAll(IMPORT)].map(match => match[1] ?? match[2]!);
    return { path: relative(root, file), imports, text };
  });
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listFiles(path);
    return /\.ts$/.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : [];
  });
}

/** Returns the file that a relative import refers to, relative to the root. */
export function resolveImport(source: Source, specifier: string): string {
  return relative(root, resolve(root, dirname(source.path), specifier));
}

/** Returns the package name of an import specifier: `undici` for `undici/lib/x`. */
export function getPackageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
