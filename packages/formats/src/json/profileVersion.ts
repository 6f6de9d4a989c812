import type { ProfileExport, RunInfo } from '../generated/profileExport.ts';
import { DOCUMENT_FIELDS, isMetricBlock } from './profileMetrics.ts';

/** Schema versions of the profile export, oldest first. The index of a version is its minor number. */
export const PROFILE_EXPORT_VERSIONS = ['1.0', '1.1', '1.2', '1.3', '1.4'] as const;
/** A schema version of the profile export. */
export type ProfileExportVersion = (typeof PROFILE_EXPORT_VERSIONS)[number];

/**
 * Converts a profile export to an older schema version. Versions before 1.1 omit `count` and `sum`, versions
 * before 1.2 omit `run_info`, and versions before 1.3 omit `benchmark_id`, `sweep_id` and `cli_command` in
 * `run_info`. Versions 1.3 and 1.4 have the same fields. The result has the type of version 1.4, even
 * if it lacks `run_info.benchmark_id`.
 *
 * @throws TypeError for an unknown version
 */
export function downgradeProfileExport(
  document: ProfileExport,
  version: ProfileExportVersion,
): ProfileExport {
  const minor = PROFILE_EXPORT_VERSIONS.indexOf(version);
  if (minor === -1)
    throw new TypeError(
      `unknown schema version ${String(version)}; expected one of ${PROFILE_EXPORT_VERSIONS.join(', ')}`,
    );
  const fields = Object.entries(document).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'run_info')
      return minor < 2 ? [] : [[key, minor < 3 ? omitIdentifiers(value as RunInfo) : value]];
    return [[key, minor < 1 && isBlock(key, value) ? omitCounts(value) : value]];
  });
  return { ...Object.fromEntries(fields), schema_version: version } as unknown as ProfileExport;
}

function isBlock(key: string, value: unknown): value is object {
  return typeof value === 'object' && value !== null && !DOCUMENT_FIELDS.has(key) && isMetricBlock(value);
}

function omitCounts(block: object): object {
  const { count: _count, sum: _sum, ...rest } = block as { count?: unknown; sum?: unknown };
  return rest;
}

function omitIdentifiers(info: RunInfo): object {
  const { benchmark_id: _benchmark, sweep_id: _sweep, cli_command: _command, ...rest } = info;
  return rest;
}
