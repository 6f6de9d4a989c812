import type { ServerDefinition } from './serverDefinition.ts';

/**
 * The names under which servers export the same metric: its own, older ones, and those of metrics that were renamed on
 * their way. An endpoint can have several of them, with the same values.
 */
export class MetricNames {
  /** The older names of a metric, newest first. */
  readonly #older = new Map<string, string[]>();
  /** The newer name of a metric. */
  readonly #newer = new Map<string, string>();
  readonly #renamed: readonly { readonly from: string; readonly to: string }[];

  constructor(servers: readonly ServerDefinition[]) {
    for (const { metrics = {} } of servers)
      for (const [name, { replaced_by: newer }] of Object.entries(metrics))
        if (newer !== undefined && newer !== name) {
          this.#newer.set(name, newer);
          this.#older.set(newer, [...(this.#older.get(newer) ?? []), name]);
        }
    // A prefix is usually extended, such as vllm: to kserve_vllm:, so its new name ends with it.
    this.#renamed = servers.flatMap(({ recognize: { prefixes, renamed = [] } }) =>
      renamed.map(to => ({ from: prefixes.find(prefix => to.endsWith(prefix)) ?? prefixes[0] ?? '', to })),
    );
  }

  /** Lists the names of a metric in order of preference: its own name, older names, then the same names renamed. */
  list(metric: string): readonly string[] {
    const names = this.listOwn(metric);
    const renamed = this.#renamed.flatMap(({ from, to }) =>
      names.filter(name => name.startsWith(from)).map(name => to + name.slice(from.length)),
    );
    return renamed.length === 0 ? names : [...names, ...renamed];
  }

  /** Lists the names that servers give to a metric in order of preference: its own name, then older names. */
  listOwn(metric: string): readonly string[] {
    return [metric, ...this.#listOlder(metric, new Set([metric]))];
  }

  /** Returns the newest name of a metric. */
  resolve(name: string): string {
    let newest = this.restore(name);
    for (const seen = new Set([newest]); ; seen.add(newest)) {
      const newer = this.#newer.get(newest);
      if (newer === undefined || seen.has(newer)) return newest;
      newest = newer;
    }
  }

  /** Returns the name that a server gave to a metric before it was renamed. */
  restore(name: string): string {
    const rename = this.#renamed.find(({ to }) => name.startsWith(to));
    return rename === undefined ? name : rename.from + name.slice(rename.to.length);
  }

  /** Lists older names, also those of older names. `seen` ends loops in definitions of users. */
  #listOlder(metric: string, seen: Set<string>): string[] {
    const names = (this.#older.get(metric) ?? []).filter(name => !seen.has(name));
    for (const name of names) seen.add(name);
    return [...names, ...names.flatMap(name => this.#listOlder(name, seen))];
  }
}
