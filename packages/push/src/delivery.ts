import { redactUrl } from '@org/core';
import type { ReceiverDelivery } from './dispatch/dispatcher.ts';
import type { ProtocolName, PushTarget } from './target.ts';

/** Numbers of sent and lost values of a receiver, without secrets. */
export interface DestinationDelivery extends Omit<ReceiverDelivery, 'lastProblem'> {
  readonly protocol: ProtocolName;
  readonly url: string;
  readonly lastProblem?: string;
}

/** Describes what was sent to a receiver, without secrets. */
export function describeDelivery(
  { protocol, url, redact }: PushTarget,
  { lastProblem, ...counts }: ReceiverDelivery,
): DestinationDelivery {
  return {
    protocol,
    url: redactUrl(url),
    ...counts,
    ...(lastProblem === undefined ? {} : { lastProblem: redact(lastProblem) }),
  };
}
