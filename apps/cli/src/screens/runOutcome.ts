import { formatCount, formatValue } from '@org/core';
import { describeFailedRun, isSuccess, type RunOutcome } from '@org/run';
import type { Log } from '@org/terminal/live';

/** Logs the outcome of one of several runs: its key figures, or why it is excluded from aggregates. */
export function logOutcome(outcome: RunOutcome, name: string, log: Log): void {
  if (!isSuccess(outcome) && outcome.endedEarly) {
    log.info(`${name}: ${outcome.error}`);
    return;
  }
  if (!isSuccess(outcome)) {
    log.warning(`${name} failed and is excluded from aggregates: ${outcome.error}`);
    return;
  }
  log.info(`${name}: ${listFigures(outcome).join(', ')}`);
  const failure = describeFailedRun(outcome.counts);
  if (failure !== undefined) log.error(`${name}: ${failure}`);
}

function listFigures({
  counts,
  statistics,
}: Extract<RunOutcome, { readonly statistics: unknown }>): string[] {
  const formatMetric = (metric: string): string => {
    const statistic = statistics.client.get(metric);
    return statistic ? formatValue(statistic.value, statistic.unit === 'ms' ? 'ms' : null) : '';
  };
  const { succeeded, failed, cancelled } = counts;
  const firstToken = formatMetric('time_to_first_token_p99');
  return [
    formatCount(succeeded, 'request'),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
    `${formatMetric('request_throughput_avg')} req/s`,
    `latency p99 ${formatMetric('request_latency_p99')}`,
    ...(firstToken === '' ? [] : [`TTFT p99 ${firstToken}`]),
  ];
}
