import { join } from 'node:path';
import type { RunInfo } from '@org/formats';
import type { TokenSource } from '@org/loadgen';
import { type Compatibility, MIN_INTERVAL_RUNS, RunInputError } from '@org/record';
import { extendBuiltInServers } from '@org/servers';
import { makeFolder } from '../lifecycle/artifactFolder.ts';
import { pause } from '../lifecycle/pause.ts';
import { getProfilePaths } from '../profile/profilePaths.ts';
import type { ProfileResult } from '../profile/profileResult.ts';
import { runProfile } from '../profile/profileRun.ts';
import { DEFAULT_VERSION, NEVER_ABORTED } from '../runContext.ts';
import { removeEarlierRuns } from './earlierRuns.ts';
import { PlanJournal } from './planJournal.ts';
import { findPrefixCacheReuse, type PrefixCacheReuse } from './prefixCacheReuse.ts';
import type { RepeatEvent, RepeatedProfilePlan, RepeatOptions, RepeatResult } from './repeatedProfile.ts';
import type { PlannedRun, RepeatPlan } from './repeatPlan.ts';
import { isSuccess, type RunOutcome } from './runOutcome.ts';
import { executeRuns, type RunReport, type SequenceResult } from './runSequence.ts';
import { writeRepeated } from './writeRepeated.ts';

/** Implements `profileRepeatedly`. */
export async function runRepeatedly(
  plan: RepeatedProfilePlan,
  options: RepeatOptions,
): Promise<RepeatResult> {
  await makeFolder(plan.folder);
  const { prefix } = plan.profiles[0]!;
  await removeEarlierRuns(plan.folder, prefix);
  return new RepeatedRun(plan, options).run();
}

/** Executes a repeated benchmark or sweep. */
class RepeatedRun {
  readonly #folder: string;
  readonly #plan: RepeatPlan;
  readonly #profiles: RepeatedProfilePlan['profiles'];
  readonly #options: RepeatOptions;
  readonly #emit: (event: RepeatEvent) => void;
  readonly #interruptSignal: AbortSignal;
  readonly #version: string;
  readonly #compatibility: Compatibility;
  readonly #model: string | undefined;
  /** Result of the last run; undefined while a run is active, or if it failed. */
  #result: ProfileResult | undefined;
  #isWritten = true;
  /** Source of the token counts of all runs; chosen by the first run with a successful request. */
  #tokenSource: TokenSource | undefined;

  constructor({ folder, runs, profiles }: RepeatedProfilePlan, options: RepeatOptions) {
    this.#folder = folder;
    this.#plan = runs;
    this.#profiles = profiles;
    this.#options = options;
    this.#emit = options.onEvent ?? (() => {});
    this.#interruptSignal = options.signal ?? NEVER_ABORTED;
    this.#version = options.version ?? DEFAULT_VERSION;
    this.#compatibility = profiles[0]!.exports?.compatibility ?? 'servelens';
    this.#model = profiles[0]!.request.models[0];
  }

  async run(): Promise<RepeatResult> {
    const journal = this.#openJournal();
    try {
      const sequence = await executeRuns(this.#plan, {
        interruptSignal: this.#interruptSignal,
        execute: (run, index) => this.#execute(run, index),
        coolDown: (seconds, next) => this.#coolDown(seconds, next),
        onOutcome: outcome => {
          journal.addOutcome(outcome);
          this.#emit({
            type: 'run_ended',
            outcome,
            ...(this.#result ? { result: this.#result } : {}),
          });
        },
      });
      return await this.#finish(sequence, journal);
    } catch (error) {
      if (error instanceof RunInputError) await journal.remove();
      throw error;
    }
  }

  #openJournal(): PlanJournal {
    const { prefix, exportLevel } = this.#profiles[0]!;
    const format = {
      version: this.#version,
      compatibility: this.#compatibility,
      ...(exportLevel === undefined ? {} : { exportLevel }),
      ...(this.#model === undefined ? {} : { model: this.#model }),
      ...(prefix === undefined ? {} : { prefix }),
    };
    return new PlanJournal(this.#folder, this.#plan, format, message =>
      this.#emit({ type: 'storage_changed', state: 'failing', message }),
    );
  }

  async #execute(run: PlannedRun, index: number): Promise<RunReport> {
    this.#emit({ type: 'run_started', run, index });
    this.#result = undefined;
    const folder = join(this.#folder, run.folder);
    const { warmup, ...plan } = this.#profiles[run.variation.index]!;
    const hasWarmup = warmup !== undefined && !(this.#plan.repetition.warmsUpOnce && run.trial > 0);
    const profile = {
      ...plan,
      ...(hasWarmup ? { warmup } : {}),
      folder,
      seed: run.seed,
      ...(this.#tokenSource === undefined ? {} : { tokenSource: this.#tokenSource }),
    };
    const { cliCommand, formatConsole } = this.#options;
    const result = await runProfile(profile, {
      version: this.#version,
      onEvent: this.#emit,
      // A separate signal per run, so that its listeners are released with the run.
      signal: AbortSignal.any([this.#interruptSignal]),
      ...(cliCommand === undefined ? {} : { cliCommand }),
      ...(formatConsole === undefined ? {} : { formatConsole }),
      runInfo: this.#describeRun(run),
    });
    this.#result = result;
    if (!result.isWritten) this.#isWritten = false;
    if (result.metrics.succeeded > 0) this.#tokenSource ??= result.tokenSource;
    return {
      document: result.document,
      ...(result.server ? { servers: result.server.exports.document } : {}),
      ...(profile.exportLevel === 'summary'
        ? {}
        : { requests: getProfilePaths(folder, profile.prefix).jsonl }),
    };
  }

  #describeRun({ variation, trial, label }: PlannedRun): Partial<RunInfo> {
    const { sweepId } = this.#plan;
    return {
      ...(sweepId === undefined ? {} : { sweep_id: sweepId }),
      trial,
      run_label: label,
      variation_label: variation.label,
      variation_index: variation.index,
      variation_values: variation.values,
    };
  }

  async #coolDown(seconds: number, next: PlannedRun): Promise<void> {
    this.#emit({ type: 'cooldown_started', seconds, next });
    await pause(seconds, this.#interruptSignal);
    this.#emit({ type: 'cooldown_ended' });
  }

  async #finish({ outcomes, wasCancelled }: SequenceResult, journal: PlanJournal): Promise<RepeatResult> {
    const { confidenceLevel, cooldownSeconds } = this.#plan.repetition;
    const exports = await writeRepeated(this.#plan, outcomes, {
      version: this.#version,
      confidenceLevel,
      cooldownSeconds,
      wasCancelled,
      folder: this.#folder,
      compatibility: this.#compatibility,
      model: this.#model,
    });
    const areAllWritten = this.#isWritten && exports.files.every(({ ok }) => ok);
    const keepJournal = this.#profiles[0]!.storage?.keepJournal === true;
    await (areAllWritten && !keepJournal ? journal.remove() : journal.close(areAllWritten));
    const prefixCacheReuse = this.#findPrefixCacheReuse(outcomes);
    return {
      outcomes,
      wasCancelled,
      exports,
      isWritten: areAllWritten,
      ...(prefixCacheReuse ? { prefixCacheReuse } : {}),
    };
  }

  /** Finds the first variation whose later runs reused the prefix cache. */
  #findPrefixCacheReuse(outcomes: readonly RunOutcome[]): PrefixCacheReuse | undefined {
    if (this.#plan.repetition.runs < MIN_INTERVAL_RUNS) return undefined;
    const servers = extendBuiltInServers(this.#profiles[0]!.servers ?? []);
    for (const { index } of this.#plan.variations) {
      const successes = outcomes.filter(({ run }) => run.variation.index === index).filter(isSuccess);
      const reuse = findPrefixCacheReuse(
        successes.map(({ statistics }) => statistics),
        servers,
      );
      if (reuse) return reuse;
    }
    return undefined;
  }
}
