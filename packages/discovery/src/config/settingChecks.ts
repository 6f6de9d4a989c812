import { type FileProblem, formatPath, type Path, type YamlFile } from '@org/terminal/userFile';
import { AccessBuilder, SettingError } from '../accessBuilder.ts';
import { type AccessSettings, describeHeaderProblem, mergeSettings } from '../accessSettings.ts';
import { SourceError } from '../sources/sourceError.ts';
import { parseSourceSpec } from '../sources/sourceSpec.ts';
import type { Config } from './config.ts';

/** Parses the sources. Adds invalid ones to `problems`. */
export function checkSources({ sources = [] }: Config, file: YamlFile, problems: FileProblem[]): void {
  for (const [index, { source }] of sources.entries()) {
    const path: Path = ['sources', index, 'source'];
    try {
      parseSourceSpec(source);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      problems.push(file.createProblem(path, `${formatPath(path)}: ${error.message}`));
    }
  }
}

/** Returns the settings of all targets and sources with their paths. */
function listEntries({ targets, sources = [] }: Config): [Path, AccessSettings][] {
  const list = (key: string, entries: readonly AccessSettings[]): [Path, AccessSettings][] =>
    entries.map((entry, index): [Path, AccessSettings] => [[key, index], entry]);
  const requests = sources.flatMap(({ request }, index): [Path, AccessSettings][] =>
    request ? [[['sources', index, 'request'], request]] : [],
  );
  return [...list('targets', targets), ...list('sources', sources), ...requests];
}

/** Checks headers. Adds headers that only the HTTP client may set to `problems`. */
export function checkHeaders(config: Config, file: YamlFile, problems: FileProblem[]): void {
  const layers: [Path, AccessSettings][] = [[['defaults'], config.defaults], ...listEntries(config)];
  for (const [path, { headers = {} }] of layers) {
    for (const name of Object.keys(headers)) {
      const problem = describeHeaderProblem(name);
      const headersPath = [...path, 'headers'];
      if (problem !== undefined)
        problems.push(
          file.createKeyProblem(headersPath, name, `a header in ${formatPath(headersPath)} ${problem}`),
        );
    }
  }
}

/** Reads all files named in the configuration. Adds missing and invalid files to `problems`. */
export function checkFiles(config: Config, file: YamlFile, problems: FileProblem[]): void {
  const { defaults } = config;
  const builder = new AccessBuilder();
  // `build` throws at the first problem, so TLS files and other files are checked separately.
  const splitTls = ({ tls, ...otherSettings }: AccessSettings): AccessSettings[] => [
    otherSettings,
    ...(tls ? [{ tls }] : []),
  ];
  const layers: [Path, AccessSettings][] = [
    ...splitTls(defaults).map((settings): [Path, AccessSettings] => [['defaults'], settings]),
    ...listEntries(config).flatMap(([path, entry]) =>
      splitTls(mergeSettings(defaults, entry)).map((settings): [Path, AccessSettings] => [path, settings]),
    ),
  ];
  const messages = new Set<string>();
  for (const [path, settings] of layers) {
    try {
      builder.build(settings);
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      const layerPath = [...path, ...error.key];
      const settingPath = file.has(layerPath) ? layerPath : ['defaults', ...error.key];
      const message = error.formatMessage(formatPath(settingPath));
      if (!messages.has(message)) problems.push(file.createProblem(settingPath, message));
      messages.add(message);
    }
  }
}
