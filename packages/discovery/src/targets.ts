import { deduplicateTargets, parseMetricsTarget, parseServerTarget, type Target } from '@org/scrape';
import { AccessBuilder } from './accessBuilder.ts';
import {
  type AccessSettings,
  hasAuthorization,
  mergeSettings,
  type TargetSettings,
} from './accessSettings.ts';
import type { ConfigFile } from './config/configFile.ts';
import { type OptionNaming, withUsageErrors } from './usageErrors.ts';

/** The sources of a run's endpoints and their settings. */
export interface TargetSources {
  /** Base URLs of inference servers, from --url. */
  readonly servers: readonly string[];
  /** URLs of metrics endpoints, from --server-metrics. */
  readonly endpoints: readonly string[];
  /** The configuration file, from --config. */
  readonly file?: ConfigFile;
  /** Settings for all endpoints, from the command line. */
  readonly options: AccessSettings;
  /** Returns the name of the option that sets a key of the settings, for messages. */
  readonly nameOption: OptionNaming;
}

/**
 * Returns the endpoints of a run without duplicates: endpoints from the command line, followed by endpoints
 * from the configuration file. Command-line options take precedence over targets of the file, and targets
 * over the defaults of the file.
 *
 * @throws UsageError if a URL is invalid, or a credential file is missing or invalid
 */
export function resolveTargets({ servers, endpoints, file, options, nameOption }: TargetSources): Target[] {
  const builder = new AccessBuilder();
  const defaults = file?.config.defaults ?? {};
  const addAccess = (target: Target, settings: AccessSettings): Target => {
    const access = builder.build(mergeSettings(mergeSettings(defaults, settings), options));
    return Object.keys(access).length === 0 ? target : { ...target, access };
  };
  return withUsageErrors(nameOption, () => {
    // Reports invalid options even if there is no endpoint.
    if (file === undefined) builder.build(options);
    const fileTargets = (file?.targets ?? []).map((target, index) =>
      addAccess(
        hasAuthorization(options) ? removeCredentials(target) : target,
        toAccessSettings(file!.config.targets[index]!),
      ),
    );
    const optionTargets = [
      ...servers.map(parseServerTarget),
      ...endpoints.map(url => parseMetricsTarget(url)),
    ].map(target => {
      const matchingTarget = fileTargets.find(fileTarget => getFetchUrl(fileTarget) === getFetchUrl(target));
      return matchingTarget ? { ...matchingTarget, ...target } : addAccess(target, {});
    });
    return deduplicateTargets([...optionTargets, ...fileTargets]);
  });
}

function getFetchUrl({ fetchUrl, url }: Target): string {
  return fetchUrl ?? url;
}

/** Returns the settings of a target without its URLs and labels. */
function toAccessSettings({ url, server, exact, labels, ...settings }: TargetSettings): AccessSettings {
  return settings;
}

function removeCredentials({ credentials, ...target }: Target): Target {
  return target;
}
