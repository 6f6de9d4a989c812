import { describe, inject, test } from 'vitest';

/** A program that tests run beside Servelens. */
export interface Peer {
  /** Name of the folder of its tests. */
  readonly name: string;
  /** Whether `.ci/run` runs its tests. */
  readonly isInMatrix: boolean;
  /** Installs the peer and returns its folder. Rejects with the reason if it cannot be installed. */
  readonly install: () => Promise<string>;
}

/** State of the selected peers, by name. */
export interface Peers {
  readonly installed: Readonly<Record<string, string>>;
  /** Reasons why peers could not be installed. */
  readonly missing: Readonly<Record<string, string>>;
  /** Whether a missing peer is a failure. */
  readonly isRequired: boolean;
  /** Whether to run all cases, not only those of the matrix. */
  readonly isFull: boolean;
}

declare module 'vitest' {
  export interface ProvidedContext {
    peers: Peers;
  }
}

/**
 * Declares the tests of a peer, which run if it is installed. `declareTests` receives the folder of the peer. If the
 * peer is required, one test fails with the reason why it is missing.
 */
export function describePeer(name: string, title: string, declareTests: (folder: string) => void): void {
  const { installed, missing, isRequired } = inject('peers');
  const folder = installed[name];
  if (folder !== undefined) {
    describe(title, () => declareTests(folder));
    return;
  }
  const message = `cannot install ${name}: ${missing[name]}`;
  test(title, ({ skip }) => {
    if (isRequired) throw new Error(message);
    skip(message);
  });
}

/** Returns the cases to run: all in a full run, otherwise those of the matrix. */
export function selectCases<T extends { readonly isInMatrix: boolean }>(cases: readonly T[]): readonly T[] {
  return inject('peers').isFull ? cases : cases.filter(({ isInMatrix }) => isInMatrix);
}
