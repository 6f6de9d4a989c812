import { type Collector, type Endpoint, identifyTarget, type Target, TargetRoster } from '@org/scrape';

export interface SourcedEndpointsOptions {
  readonly collector: Collector;
  /** The targets of the plan, which are never removed, in the order of the first endpoints of the collector. */
  readonly targets: readonly Target[];
  readonly sources: number;
  /** Called for an endpoint that was added, removed or listed again, or whose labels have changed. */
  readonly onChange: (endpoint: Endpoint) => void;
  readonly nowNs: () => bigint;
}

/** Adds and removes the endpoints of a run as the lists of its sources change. */
export class SourcedEndpoints {
  readonly #options: SourcedEndpointsOptions;
  readonly #roster: TargetRoster;
  readonly #fixed: readonly Endpoint[];
  readonly #byId = new Map<string, Endpoint>();
  /** True after the first lists: endpoints that are added later are labelled as such. */
  #isActive = false;

  constructor(options: SourcedEndpointsOptions) {
    const { collector, targets, sources } = options;
    this.#options = options;
    this.#roster = new TargetRoster(targets, sources);
    this.#fixed = collector.endpoints.slice(0, targets.length);
  }

  /** Marks the start of the run. The period of an endpoint that is added later starts at its first sample. */
  activate(): void {
    this.#isActive = true;
  }

  /** Applies the current list of a source. */
  update(source: number, targets: readonly Target[]): void {
    const listed = this.#roster.update(source, targets);
    // Removals are first, because an added endpoint may have the URL of a removed one.
    for (const [id, endpoint] of this.#byId)
      if (!listed.has(id) && endpoint.health.status !== 'removed') this.#remove(endpoint);
    for (const target of listed.values()) this.#include(target);
    for (const endpoint of this.#fixed)
      if (endpoint.setLabels(this.#roster.joinLabels(endpoint.target))) this.#options.onChange(endpoint);
  }

  #remove(endpoint: Endpoint): void {
    this.#options.collector.remove(endpoint);
    this.#options.onChange(endpoint);
  }

  #include(target: Target): void {
    const known = this.#byId.get(identifyTarget(target));
    if (known) this.#refresh(known, target);
    else this.#add(target);
  }

  /** Scrapes an endpoint again if it was removed, and updates its labels. */
  #refresh(known: Endpoint, target: Target): void {
    const { collector, onChange } = this.#options;
    const isBack = known.health.status === 'removed';
    if (isBack) collector.restore(known);
    const hasNewLabels = known.setLabels(target.labels);
    if (isBack || hasNewLabels) onChange(known);
  }

  #add(target: Target): void {
    const { collector, onChange, nowNs } = this.#options;
    const endpoint = collector.add(target);
    this.#byId.set(identifyTarget(target), endpoint);
    if (this.#isActive) endpoint.markAdded(nowNs());
    onChange(endpoint);
  }
}
