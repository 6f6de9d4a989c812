import type { Target } from './target.ts';

/** Identifies a target: the same URL with another identity is another target. */
export type TargetId = string;

/** Returns the ID of a target. */
export function identifyTarget({ url, fetchUrl = url, identity }: Target): TargetId {
  return identity === undefined ? fetchUrl : `${fetchUrl} ${identity}`;
}

/**
 * Joins the targets of the plan, which are always present, and the current targets of all sources. Each URL is listed
 * once: for the target of the plan, or the target that was listed before, or the first target with an identity.
 */
export class TargetRoster {
  readonly #fixed: ReadonlyMap<string, Target>;
  /** The current targets of each source. */
  readonly #lists: (readonly Target[])[];
  #current: ReadonlyMap<TargetId, Target> = new Map();

  constructor(fixed: readonly Target[], sources: number) {
    this.#fixed = new Map(fixed.map(target => [getFetchUrl(target), target]));
    this.#lists = Array.from({ length: sources }, () => []);
  }

  /** Replaces the targets of a source. Returns the current targets of all sources by ID, without the targets of the plan. */
  update(source: number, targets: readonly Target[]): ReadonlyMap<TargetId, Target> {
    this.#lists[source] = targets;
    const byUrl = new Map<string, Target>();
    for (const target of this.#lists.flat()) {
      const url = getFetchUrl(target);
      const other = byUrl.get(url);
      if (!other || this.#isPreferred(target, other)) byUrl.set(url, target);
    }
    for (const url of this.#fixed.keys()) byUrl.delete(url);
    this.#current = new Map([...byUrl.values()].map(target => [identifyTarget(target), target]));
    return this.#current;
  }

  /** Returns the labels that sources state for a target of the plan, joined with its own labels, which take precedence. */
  joinLabels(fixed: Target): Target['labels'] {
    const listed = this.#lists.flat().find(target => getFetchUrl(target) === getFetchUrl(fixed));
    return { ...listed?.labels, ...fixed.labels };
  }

  #isPreferred(target: Target, other: Target): boolean {
    const [isCurrent, isOtherCurrent] = [target, other].map(one => this.#current.has(identifyTarget(one)));
    if (isCurrent !== isOtherCurrent) return isCurrent!;
    return other.identity === undefined && target.identity !== undefined;
  }
}

function getFetchUrl({ url, fetchUrl = url }: Target): string {
  return fetchUrl;
}
