export { type ConfigContext, type ConfigFile, readConfigFile } from './configFile.ts';
export { ConfigError, formatProblems } from './configProblem.ts';
