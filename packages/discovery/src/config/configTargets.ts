import {
  parseExactTarget,
  parseMetricsTarget,
  parseServerTarget,
  type Target,
  TargetError,
} from '@org/scrape';
import { type FileProblem, formatPath, type Path, type YamlFile } from '@org/terminal/userFile';
import type { AccessSettings, TargetSettings } from '../accessSettings.ts';
import type { Config } from './config.ts';

/** Parses the URLs of targets. Adds invalid URLs, duplicate endpoints and conflicting credentials to `problems`. */
export function parseTargets({ targets }: Config, file: YamlFile, problems: FileProblem[]): Target[] {
  const indices = new Map<string, number>();
  return targets.flatMap((settings, index) => {
    const key = settings.url === undefined ? 'server' : 'url';
    const path: Path = ['targets', index, key];
    const name = formatPath(path);
    try {
      const target = addLabels(parseTarget(settings), settings);
      const id = target.fetchUrl ?? target.url;
      const earlierIndex = indices.get(id);
      if (earlierIndex !== undefined)
        problems.push(
          file.createProblem(
            path,
            `${name} is ${target.url}, the same endpoint as targets[${earlierIndex}]; expected each endpoint once`,
          ),
        );
      indices.set(id, earlierIndex ?? index);
      if (target.credentials && hasCredentialSetting(settings))
        problems.push(
          file.createProblem(
            path,
            `${name} contains credentials, and other credentials are set for this target; expected only one`,
          ),
        );
      return [target];
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      problems.push(file.createProblem(path, `${name}: ${error.message}`));
      return [];
    }
  });
}

function parseTarget({ url, exact = false, server }: TargetSettings): Target {
  if (url === undefined) return parseServerTarget(server!);
  return exact ? parseExactTarget(url) : parseMetricsTarget(url);
}

function addLabels(target: Target, { labels }: TargetSettings): Target {
  return labels ? { ...target, labels } : target;
}

function hasCredentialSetting(settings: AccessSettings): boolean {
  const { bearer_token, bearer_token_file, basic_auth, basic_auth_file } = settings;
  return (bearer_token ?? bearer_token_file ?? basic_auth ?? basic_auth_file) !== undefined;
}
