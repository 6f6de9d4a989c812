/** The addresses of receivers. */
export interface ReceiverAddresses {
  /** A receiver that accepts everything, responds after two seconds at `/late`, and never at `/slow`. */
  readonly running: string;
  /** An address at which nothing listens. */
  readonly down: string;
}

/** The receivers that a run pushes to. */
export interface PushCase {
  readonly name: string;
  readonly listTargets: (addresses: ReceiverAddresses) => readonly string[];
}

/** The numbers of receivers in the cases that make the cost of a receiver visible. */
export const SEVERAL_RECEIVERS = 3;
export const MANY_RECEIVERS = 20;

/** The first case is the one that the others are compared with. */
export const PUSH_CASES: readonly PushCase[] = [
  { name: 'none', listTargets: () => [] },
  { name: 'remote-write', listTargets: ({ running }) => [`remote-write=${running}/write`] },
  { name: 'otlp', listTargets: ({ running }) => [`otlp=${running}/otlp`] },
  ...[SEVERAL_RECEIVERS, MANY_RECEIVERS].map(count => ({
    name: `${count} receivers`,
    listTargets: ({ running }: ReceiverAddresses) => listReceivers(running, count),
  })),
  { name: 'down', listTargets: ({ down }) => [`remote-write=${down}/write`] },
  { name: 'late', listTargets: ({ running }) => [`remote-write=${running}/late`] },
  { name: 'slow', listTargets: ({ running }) => [`otlp=${running}/slow`] },
];

/** Lists receivers of both protocols in turn. */
function listReceivers(url: string, count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => `${index % 2 === 0 ? 'remote-write' : 'otlp'}=${url}/${index}`,
  );
}

/** Returns the cases in the order of a round. Each round starts with another case. */
export function orderCases(round: number): readonly PushCase[] {
  const first = round % PUSH_CASES.length;
  return [...PUSH_CASES.slice(first), ...PUSH_CASES.slice(0, first)];
}
