/** The addresses of receivers. */
export interface ReceiverAddresses {
  /** A receiver that accepts everything, and does not respond at `/slow`. */
  readonly running: string;
  /** An address at which nothing listens. */
  readonly down: string;
}

/** The receivers that a run pushes to. */
export interface PushCase {
  readonly name: string;
  readonly listTargets: (addresses: ReceiverAddresses) => readonly string[];
}

/** The number of receivers in the case that makes the cost of a receiver visible. */
export const MANY_RECEIVERS = 20;

/** The first case is the one that the others are compared with. */
export const PUSH_CASES: readonly PushCase[] = [
  { name: 'none', listTargets: () => [] },
  { name: 'remote-write', listTargets: ({ running }) => [`remote-write=${running}/write`] },
  { name: 'otlp', listTargets: ({ running }) => [`otlp=${running}/otlp`] },
  {
    name: `${MANY_RECEIVERS} receivers`,
    listTargets: ({ running }) =>
      Array.from(
        { length: MANY_RECEIVERS },
        (_, index) => `${index % 2 === 0 ? 'remote-write' : 'otlp'}=${running}/${index}`,
      ),
  },
  { name: 'down', listTargets: ({ down }) => [`remote-write=${down}/write`] },
  { name: 'slow', listTargets: ({ running }) => [`otlp=${running}/slow`] },
];

/** Returns the cases in the order of a round. Each round starts with another case. */
export function orderCases(round: number): readonly PushCase[] {
  const first = round % PUSH_CASES.length;
  return [...PUSH_CASES.slice(first), ...PUSH_CASES.slice(0, first)];
}
