import type { Target } from '@org/scrape';

/** Reports whether two lists contain the same targets, with the same labels and identities, in the same order. */
export function hasSameTargets(before: readonly Target[], after: readonly Target[]): boolean {
  return before.length === after.length && before.every((target, i) => isSameTarget(target, after[i]!));
}

function isSameTarget(a: Target, b: Target): boolean {
  return a === b || JSON.stringify(listParts(a)) === JSON.stringify(listParts(b));
}

/** Lists the values that identify a target. Its access parameters are set by its source. */
function listParts({ url, fetchUrl, credentials, alternatives, labels, identity }: Target): unknown[] {
  return [url, fetchUrl, credentials, alternatives, Object.entries(labels ?? {}), identity];
}
