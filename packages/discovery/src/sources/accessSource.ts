import type { Access, Target, TargetSource } from '@org/scrape';

/** A source whose targets have the given access parameters, except those that a target sets. */
export class AccessSource implements TargetSource {
  readonly name: string;
  readonly #source: TargetSource;
  readonly #access: Access;

  constructor(source: TargetSource, access: Access) {
    this.name = source.name;
    this.#source = source;
    this.#access = access;
  }

  async *watch(signal: AbortSignal, onProblem: (message: string) => void): AsyncGenerator<readonly Target[]> {
    for await (const targets of this.#source.watch(signal, onProblem))
      yield targets.map(target => this.#addAccess(target));
  }

  #addAccess(target: Target): Target {
    const access = { ...this.#access, ...target.access };
    return Object.keys(access).length === 0 ? target : { ...target, access };
  }
}
