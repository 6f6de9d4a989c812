import { toDefinition } from './definitionFile.ts';
import { definitions } from './generated/definitions.ts';
import { ServerCatalog } from './serverCatalog.ts';

/** The servers of the files in the folder `servers`. */
export const builtInServers: ServerCatalog = new ServerCatalog(definitions.map(toDefinition));
