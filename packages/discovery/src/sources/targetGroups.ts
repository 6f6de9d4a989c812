import { parseExactTarget, parseMetricsTarget, type Target, TargetError } from '@org/scrape';
import { checkLabels, type TargetLabels, toTargetLabels } from './labels.ts';
import { SourceError } from './sourceError.ts';

const DEFAULT_PATH = '/metrics';
const PARAMETER_PREFIX = '__param_';

/** A group of endpoints with the same labels, as in the files of Prometheus. */
interface TargetGroup {
  readonly targets: readonly string[];
  readonly labels: TargetLabels;
}

/**
 * Returns the targets of a list of groups in Prometheus' format (`file_sd` and `http_sd`). `subject` names the file or
 * the response in messages. Throws `SourceError` if the list is invalid.
 * https://prometheus.io/docs/prometheus/latest/configuration/configuration/#file_sd_config
 */
export function parseTargetGroups(value: unknown, subject: string): Target[] {
  if (!Array.isArray(value))
    throw new SourceError(
      `${subject} is not a list; expected groups such as [{"targets": ["host:8000"], "labels": {}}]`,
    );
  return value.flatMap((group, index) => {
    const place = `${subject}: group ${index + 1}`;
    const { targets, labels } = checkGroup(group, place);
    const targetLabels = toTargetLabels(labels, place);
    return targets.map(address => createTarget(address, labels, targetLabels, place));
  });
}

function checkGroup(value: unknown, place: string): TargetGroup {
  const { targets, labels } = (value ?? {}) as { readonly targets?: unknown; readonly labels?: unknown };
  if (!Array.isArray(targets) || !targets.every(item => typeof item === 'string'))
    throw new SourceError(`${place} has invalid targets; expected a list such as ["host:8000"]`);
  return { targets, labels: checkLabels(labels ?? {}, place) };
}

function createTarget(
  address: string,
  labels: TargetLabels,
  targetLabels: TargetLabels,
  place: string,
): Target {
  try {
    const { url, isExact } = buildUrl(address, labels);
    const target = isExact ? parseExactTarget(url) : parseMetricsTarget(url);
    return Object.keys(targetLabels).length === 0 ? target : { ...target, labels: targetLabels };
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    throw new SourceError(`${place}: ${error.message}`);
  }
}

/** Builds the URL of an address from the labels that begin with two underscores, as Prometheus does. */
function buildUrl(
  address: string,
  labels: TargetLabels,
): { readonly url: string; readonly isExact: boolean } {
  if (/^https?:\/\//i.test(address)) return { url: address, isExact: false };
  const { __scheme__: scheme = 'http', __metrics_path__: path = DEFAULT_PATH } = labels;
  const parameters = Object.entries(labels)
    .filter(([name]) => name.startsWith(PARAMETER_PREFIX))
    .map(([name, value]): [string, string] => [name.slice(PARAMETER_PREFIX.length), value]);
  const query = parameters.length === 0 ? '' : `?${new URLSearchParams(parameters)}`;
  const absolutePath = path.startsWith('/') ? path : `/${path}`;
  return { url: `${scheme}://${address.trim()}${absolutePath}${query}`, isExact: path !== DEFAULT_PATH };
}
