import { UsageError } from '@org/terminal';
import { flag, type OptionTable, option, type RawOptions, readList } from '@org/terminal/program';

/** Options for server metrics: the endpoints to scrape, their headers, and whether they must return data. */
export const SERVER_METRICS_OPTIONS: OptionTable = {
  'server-metrics': option(
    'URL',
    'Metrics endpoints to scrape in addition to --url; /metrics is appended, except to exact:URL',
    { many: 'list', acceptsCommas: true, isValueOptional: true },
  ),
  'no-server-metrics': flag('Disable scraping'),
  'require-server-metrics': flag(
    'Fail if an endpoint returns no data or stops responding, or if an export cannot be written',
  ),
  'server-metrics-header': option("'NAME: VALUE'", 'HTTP header to send with each scrape', {
    many: 'repeat',
    isSecret: true,
  }),
};

/**
 * Reads --server-metrics and --no-server-metrics. Throws `UsageError` if --no-server-metrics is combined with an
 * option that requires scraping.
 */
export function readScrapeTargets(raw: RawOptions): {
  readonly enabled: boolean;
  readonly endpoints: readonly string[];
} {
  const enabled = raw['no-server-metrics'] !== true;
  const endpoints = readList(raw, 'server-metrics');
  if (!enabled && endpoints.length > 0)
    throw new UsageError('cannot use both --server-metrics and --no-server-metrics');
  if (!enabled && raw['require-server-metrics'] === true)
    throw new UsageError('cannot use both --require-server-metrics and --no-server-metrics');
  return { enabled, endpoints };
}
