/** The option `--servers FILE` of programs. */
import { type Io, type OptionTable, option, type RawOptions, readList } from '@org/terminal/program';
import { builtInServers } from './builtInServers.ts';
import type { ServerCatalog } from './serverCatalog.ts';

/** The option of every command that reads metrics of servers. */
export const SERVERS_OPTION: OptionTable = {
  servers: option('FILE', 'YAML or JSON file that defines a server, in addition to the known servers', {
    many: 'repeat',
  }),
};

/** Returns the known servers and the servers in the files. Throws `UsageError` if a file is invalid. */
export async function readServersOption(raw: RawOptions, { cwd }: Pick<Io, 'cwd'>): Promise<ServerCatalog> {
  const paths = readList(raw, 'servers');
  if (paths.length === 0) return builtInServers;
  const { readServerFile } = await import('./file.ts');
  return builtInServers.with(paths.map(path => readServerFile(path, cwd)));
}
