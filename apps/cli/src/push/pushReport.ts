import { formatCount } from '@org/core';
import type { DestinationDelivery, PushReport } from '@org/push';
import { toPrintable } from '@org/terminal';
import type { Log } from '@org/terminal/live';

/** Counts the values that a receiver did not store. */
export function countLost({ droppedPoints, rejectedPoints, undeliveredPoints }: DestinationDelivery): number {
  return droppedPoints + rejectedPoints + undeliveredPoints;
}

/** Logs one line for each receiver: what it has accepted, or what was lost and why. */
export function logPushReport({ destinations, problem }: PushReport, log: Log): void {
  if (problem !== undefined) log.warning(`--push: cannot read values: ${toPrintable(problem)}`);
  for (const destination of destinations) {
    if (countLost(destination) > 0) log.warning(toPrintable(describeLosses(destination)));
    else if (destination.requests > 0)
      log.info(`pushed ${formatCount(destination.sentPoints, 'value')} to ${toPrintable(destination.url)}`);
  }
}

function describeLosses(destination: DestinationDelivery): string {
  const { protocol, url, sentPoints, droppedPoints, rejectedPoints, undeliveredPoints } = destination;
  const lost = countLost(destination);
  const reasons = [
    ...(droppedPoints > 0 ? [`${droppedPoints} dropped, because the queue was full`] : []),
    ...(rejectedPoints > 0 ? [`${rejectedPoints} rejected`] : []),
    ...(undeliveredPoints > 0 ? [`${undeliveredPoints} not accepted in time`] : []),
  ];
  const problem = destination.lastProblem === undefined ? '' : `; last problem: ${destination.lastProblem}`;
  return `push to ${protocol}=${url}: ${lost} of ${formatCount(lost + sentPoints, 'value')} were lost (${reasons.join(', ')})${problem}`;
}
