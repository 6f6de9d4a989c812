import { Random } from '@org/core';
import type { ProfileContext } from '../profile.ts';

/** The identifiers of Dynamo's processes in labels. They are random, and change when the server restarts. */
export interface Identity {
  /** The frontend process: 16 hexadecimal digits. */
  readonly frontend: string;
  /** The worker process in the worker's own labels: 16 hexadecimal digits. */
  readonly worker: string;
  /** The worker in the frontend's labels: a decimal number. */
  readonly workerNumber: string;
  /** The router: a decimal number. */
  readonly router: string;
}

/** Returns the identifiers of a server that has just started. */
export function createIdentity({ engines }: ProfileContext): Identity {
  const random = new Random(engines[0]!.options.seed).fork('dynamo identity');
  const draw = (): string =>
    Array.from({ length: 16 }, (_, i) =>
      (i === 0 ? 1 + random.below(15) : random.below(16)).toString(16),
    ).join('');
  const drawNumber = (): string => BigInt(`0x${draw()}`).toString();
  return { frontend: draw(), worker: draw(), workerNumber: drawNumber(), router: drawNumber() };
}

/** Labels that the frontend's and the worker's component metrics share. */
export const COMPONENT: Readonly<Record<string, string>> = {
  dynamo_namespace: 'dynamo',
  dynamo_component: 'backend',
};

/** Returns the labels of an engine in the frontend's metrics. Only the KV router distinguishes ranks. */
export function getRankLabels(
  { workerNumber }: Identity,
  engine: number,
  router: ProfileContext['dynamoRouter'],
): Readonly<Record<string, string>> {
  return {
    worker_id: workerNumber,
    dp_rank: router === 'kv' ? String(engine) : 'none',
    worker_type: 'decode',
  };
}
