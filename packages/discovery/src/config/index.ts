/** Reading and validation of configuration files. Kept separate, because its dependencies are large. */
export { type ConfigContext, type ConfigFile, readConfigFile } from './configFile.ts';
export { ConfigError, formatProblems } from './configProblem.ts';
