/** The option `--servers FILE` of programs. */
import { type Io, type OptionTable, option, type RawOptions, readList } from '@org/terminal/program';
import type { DefinitionFile } from './definitionFile.ts';

/** The option of every command that reads metrics of servers. */
export const SERVERS_OPTION: OptionTable = {
  servers: option('FILE', 'YAML or JSON file that defines a server, in addition to the known servers', {
    many: 'repeat',
  }),
};

/**
 * Reads the definitions of servers in the files of the option, after those in `files`. Throws `UsageError` if a file is
 * invalid.
 */
export async function readServersOption(
  raw: RawOptions,
  { cwd }: Pick<Io, 'cwd'>,
  files: readonly string[] = [],
): Promise<readonly DefinitionFile[]> {
  const paths = [...files, ...readList(raw, 'servers')];
  if (paths.length === 0) return [];
  const { readDefinitionFile } = await import('./file.ts');
  return paths.map(path => readDefinitionFile(path, cwd));
}
