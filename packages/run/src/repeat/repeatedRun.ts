import { join } from 'node:path';
import type { RunInfo } from '@org/formats';
import type { TokenSource } from '@org/loadgen';
import { type Compatibility, MIN_INTERVAL_RUNS, RunInputError } from '@org/record';
import { extendBuiltInServers } from '@org/servers';
import { makeFolder } from '../lifecycle/artifactFolder.ts';
import { pause } from '../lifecycle/pause.ts';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import { getProfilePaths } from '../profile/profilePaths.ts';
import type { ProfileResult } from '../profile/profileResult.ts';
import { runProfile } from '../profile/profileRun.ts';
import { DEFAULT_VERSION, NEVER_ABORTED } from '../runContext.ts';
import { describeSaturation, watchSaturation } from '../saturation/saturatedRuns.ts';
import { createMonitor } from '../search/certainFailure.ts';
import { Search } from '../search/search.ts';
import { createSearchHistory } from '../search/searchHistory.ts';
import { assessConvergence } from './convergence.ts';
import { removeEarlierRuns } from './earlierRuns.ts';
import { PlanJournal } from './planJournal.ts';
import { findPrefixCacheReuse, type PrefixCacheReuse } from './prefixCacheReuse.ts';
import type { RepeatEvent, RepeatedProfilePlan, RepeatOptions, RepeatResult } from './repeatedProfile.ts';
import { addProbe, type PlannedRun, type RepeatPlan } from './repeatPlan.ts';
import { isSuccess, type RunOutcome } from './runOutcome.ts';
import { executeRuns, type RunReport, type SequenceResult } from './runSequence.ts';
import { type WriteRepeatedOptions, writeRepeated, writeSearchHistory } from './writeRepeated.ts';

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
  /** A search adds runs to the plan. */
  #plan: RepeatPlan;
  readonly #profiles: RepeatedProfilePlan['profiles'];
  readonly #createProfile: RepeatedProfilePlan['createProfile'];
  readonly #search: Search | undefined;
  /** True if the active run may end as soon as a limit has certainly failed. */
  #mayEndEarly = false;
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

  constructor({ folder, runs, profiles, createProfile }: RepeatedProfilePlan, options: RepeatOptions) {
    this.#folder = folder;
    this.#plan = runs;
    this.#profiles = profiles;
    this.#createProfile = createProfile;
    this.#search = runs.search && new Search(runs.search, folder);
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
        planNext: () => this.#planNext(journal),
        hasConverged: (run, outcomes) => this.#checkConvergence(run, outcomes),
        onOutcome: async outcome => {
          journal.addOutcome(outcome);
          const measured = await this.#search?.add(outcome);
          this.#emit({
            type: 'run_ended',
            outcome,
            ...(this.#result ? { result: this.#result } : {}),
            ...(measured && { measurement: measured.measurement }),
          });
          await this.#writeHistory();
        },
      });
      return await this.#finish(sequence, journal);
    } catch (error) {
      if (error instanceof RunInputError) await journal.remove();
      throw error;
    }
  }

  /** Adds the next probe of a search to the plan, and returns its runs. */
  #planNext(journal: PlanJournal): readonly PlannedRun[] {
    const step = this.#search?.planNext(this.#plan.repetition);
    if (step?.kind !== 'probe') return [];
    const { length: earlier } = this.#plan.runs;
    this.#plan = addProbe(this.#plan, step.values);
    this.#mayEndEarly = step.mayEndEarly;
    journal.addProbe(step.values);
    return this.#plan.runs.slice(earlier);
  }

  /** Writes the probes so far, so that they are not lost if the process is killed. */
  async #writeHistory(): Promise<void> {
    if (!this.#search) return;
    const settings = { ...this.#describeExports(), isActive: true, wasCancelled: false };
    await writeSearchHistory(this.#folder, createSearchHistory(this.#plan, this.#search.runs, settings));
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
    const { warmup, ...plan } = this.#getProfile(run);
    const hasWarmup = warmup !== undefined && !(this.#plan.repetition.warmsUpOnce && run.trial > 0);
    const profile = {
      ...plan,
      ...(hasWarmup ? { warmup } : {}),
      folder,
      seed: run.seed,
      ...(this.#tokenSource === undefined ? {} : { tokenSource: this.#tokenSource }),
    };
    const { cliCommand, formatConsole } = this.#options;
    const monitor = this.#mayEndEarly ? createMonitor(this.#plan.search!, profile) : undefined;
    const result = await runProfile(this.#mayEndEarly ? watchSaturation(profile) : profile, {
      version: this.#version,
      onEvent: this.#emit,
      // A separate signal per run, so that its listeners are released with the run.
      signal: AbortSignal.any([this.#interruptSignal]),
      ...(cliCommand === undefined ? {} : { cliCommand }),
      ...(formatConsole === undefined ? {} : { formatConsole }),
      runInfo: this.#describeRun(run),
      ...(monitor && { endEarly: monitor }),
    });
    this.#result = result;
    if (!result.isWritten) this.#isWritten = false;
    if (result.metrics.succeeded > 0) this.#tokenSource ??= result.tokenSource;
    const endedEarly = monitor?.reason ?? (this.#search && describeSaturation(result.document));
    return {
      document: result.document,
      ...(endedEarly === undefined ? {} : { endedEarly }),
      ...(result.server ? { servers: result.server.exports.document } : {}),
      ...(profile.exportLevel === 'summary'
        ? {}
        : { requests: getProfilePaths(folder, profile.prefix).jsonl }),
    };
  }

  #getProfile({ variation }: PlannedRun): ProfilePlan {
    return this.#createProfile?.(variation) ?? this.#profiles[variation.index]!;
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

  /** Checks the rule that ends the runs of a variation early. Returns true if they have converged. */
  async #checkConvergence(run: PlannedRun, outcomes: readonly RunOutcome[]): Promise<boolean> {
    const { convergence: rule, confidenceLevel, runs } = this.#plan.repetition;
    if (!rule) return false;
    const convergence = await assessConvergence(rule, outcomes, confidenceLevel);
    this.#emit({ type: 'convergence_checked', run, convergence, remaining: runs - outcomes.length });
    return convergence.converged;
  }

  #describeExports(): Omit<WriteRepeatedOptions, 'wasCancelled'> {
    const { confidenceLevel, cooldownSeconds } = this.#plan.repetition;
    return {
      version: this.#version,
      confidenceLevel,
      cooldownSeconds,
      folder: this.#folder,
      compatibility: this.#compatibility,
      model: this.#model,
    };
  }

  async #coolDown(seconds: number, next: PlannedRun): Promise<void> {
    this.#emit({ type: 'cooldown_started', seconds, next });
    await pause(seconds, this.#interruptSignal);
    this.#emit({ type: 'cooldown_ended' });
  }

  async #finish({ outcomes, wasCancelled }: SequenceResult, journal: PlanJournal): Promise<RepeatResult> {
    const settings = { ...this.#describeExports(), wasCancelled };
    const exports = await writeRepeated(this.#plan, outcomes, settings, this.#search?.runs);
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
