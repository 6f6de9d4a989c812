import {
  builtInServers,
  type DefinitionFile,
  extendBuiltInServers,
  readRecordedDefinitions,
  type ServerCatalog,
} from '@org/servers';
import { DEFINITIONS_FIELD, type RecordedConfig, recordDefinitions } from './recordedConfig.ts';
import type { RunRecord } from './runRecord.ts';

/** The servers whose metrics are understood in a run. */
export interface RunServers {
  /** The built-in servers and the servers in `definitions`. */
  readonly catalog: ServerCatalog;
  /** The definitions that the run recorded, and the definitions that the user added now. */
  readonly definitions: readonly DefinitionFile[];
  /** A sentence for each recorded definition that is ignored because it is invalid. */
  readonly problems: readonly string[];
}

/**
 * Reads the servers of a run from its recorded configuration. A definition in `added` replaces a recorded one with the
 * same name.
 */
export async function readRunServers(
  config: RecordedConfig | undefined,
  added: readonly DefinitionFile[] = [],
): Promise<RunServers> {
  const { definitions: recorded, problems } = await readRecordedDefinitions(config?.[DEFINITIONS_FIELD]);
  const definitions = [...new Map([...recorded, ...added].map(file => [file.name, file])).values()];
  return { catalog: extendBuiltInServers(definitions), definitions, problems };
}

/** A record with its servers, and a sentence for each recorded definition that is ignored. */
export interface RecordWithServers {
  readonly record: RunRecord;
  readonly problems: readonly string[];
}

/** Completes a record that was read from a file with the servers of the run; see `readRunServers`. */
export async function addRunServers(
  record: RunRecord,
  added: readonly DefinitionFile[] = [],
): Promise<RecordWithServers> {
  const { servelensConfig, ...others } = record;
  const { catalog, definitions, problems } = await readRunServers(servelensConfig, added);
  const config = recordDefinitions(servelensConfig, definitions);
  return {
    record: { ...others, ...(config ? { servelensConfig: config } : {}), servers: catalog },
    problems,
  };
}

/** Returns the servers whose metrics are understood in a run. */
export function getServers({ servers = builtInServers }: Pick<RunRecord, 'servers'>): ServerCatalog {
  return servers;
}
