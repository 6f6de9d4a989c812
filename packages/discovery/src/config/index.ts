/** Reading and validation of configuration files. Kept separate, because its dependencies are large. */

export { formatProblems, UserFileError as ConfigError } from '@org/terminal/userFile';
export { type ConfigContext, type ConfigFile, readConfigFile } from './configFile.ts';
export type { RunDocument } from './runDocument.ts';
