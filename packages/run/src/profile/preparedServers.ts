import { ServerControl } from '@org/loadgen';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import type { RunContext } from '../runContext.ts';
import { describeLoad } from './load.ts';
import { ServerControlError } from './serverControlError.ts';

/** Prepares the servers of a run, and controls their profilers. Does nothing if the plan has no preparation. */
export class PreparedServers {
  readonly #context: RunContext<ProfilePlan>;
  readonly #control: ServerControl | undefined;
  /** Ends the load if a profiler cannot be started. */
  readonly #failing = new AbortController();
  #failure: ServerControlError | undefined;
  #isProfiling = false;

  constructor(context: RunContext<ProfilePlan>) {
    this.#context = context;
    const { plan } = context;
    this.#control = plan.preparation && new ServerControl(describeLoad(plan));
  }

  /** The signal that ends the load: an interruption, or a profiler that cannot be started. */
  get signal(): AbortSignal {
    const { interruptSignal } = this.#context;
    return this.#control ? AbortSignal.any([interruptSignal, this.#failing.signal]) : interruptSignal;
  }

  /** Waits for models and resets caches. Throws `ServerControlError` if this fails. */
  async prepare(): Promise<void> {
    const { plan, interruptSignal, emit } = this.#context;
    const { waitForModels, resetCache } = plan.preparation ?? {};
    const control = this.#control;
    if (!control) return;
    const log = (message: string): void => emit({ type: 'server_prepared', isFailure: false, message });
    if (waitForModels) {
      const problem = await control.waitForModels(waitForModels, interruptSignal, log);
      if (problem !== undefined) throw new ServerControlError(problem);
    }
    if (!resetCache || interruptSignal.aborted) return;
    const problem = await control.reset(resetCache, interruptSignal);
    if (problem !== undefined) throw new ServerControlError(`cannot reset the KV cache: ${problem}`);
    if (!interruptSignal.aborted) log('the KV cache of the servers was reset');
  }

  /** Starts the profilers. If this fails, {@link signal} is aborted, and {@link check} throws. */
  async startProfilers(): Promise<void> {
    const { plan, interruptSignal } = this.#context;
    const { profiler } = plan.preparation ?? {};
    if (!profiler || interruptSignal.aborted) return;
    const problem = await this.#control!.startProfilers(profiler.start, profiler.stop, interruptSignal);
    this.#isProfiling = problem === undefined;
    if (problem === undefined || interruptSignal.aborted) return;
    this.#failure = new ServerControlError(`cannot start the profiler of the server: ${problem}`);
    this.#failing.abort();
  }

  /** Stops the profilers. A failure is only reported, because the run is complete. */
  async stopProfilers(): Promise<void> {
    if (!this.#isProfiling) return;
    this.#isProfiling = false;
    const problem = await this.#control!.stopProfilers(this.#context.plan.preparation!.profiler!.stop);
    if (problem === undefined) return;
    const message = `cannot stop the profiler of the server: ${problem}`;
    this.#context.emit({ type: 'server_prepared', isFailure: true, message });
  }

  /** Throws `ServerControlError` if the load ended because a profiler could not be started. */
  check(): void {
    if (this.#failure) throw this.#failure;
  }

  async close(): Promise<void> {
    await this.#control?.close();
  }
}
