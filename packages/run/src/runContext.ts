import { randomUUID } from 'node:crypto';
import { type Clock, quoteShellWord, redactArguments } from '@org/core';
import { createSystemClock } from '@org/scrape';
import type { EventSink } from './events.ts';
import { makeFolder } from './lifecycle/artifactFolder.ts';
import { type ExportPlan, type ResolvedPlan, type RunPlan, resolvePlan } from './plan/runPlan.ts';

/** Options of a run that are not part of its plan. */
export interface RunOptions {
  /** Receives the events of the run. */
  readonly onEvent?: EventSink;
  /** Ends the run early when aborted. All exports are still written. */
  readonly signal?: AbortSignal;
  /** Version of the program, recorded in the exports. */
  readonly version?: string;
  /** Command line without secrets, recorded in the exports. */
  readonly cliCommand?: string;
}

/** The version recorded in exports if `RunOptions.version` is not set. */
export const DEFAULT_VERSION = '0.0.0';

/** The default of `RunOptions.signal`. */
export const NEVER_ABORTED: AbortSignal = new AbortController().signal;

/** The resolved plan and options of a run, shared by all its steps. */
export interface RunContext<Plan extends RunPlan = RunPlan> {
  readonly plan: ResolvedPlan<Plan>;
  readonly benchmarkId: string;
  readonly version: string;
  readonly cliCommand: string | undefined;
  readonly clock: Clock;
  readonly emit: EventSink;
  /** Ends the run early when aborted. All exports are still written. */
  readonly interruptSignal: AbortSignal;
}

/**
 * Applies the defaults of the plan and the options, and creates the artifact folder. Throws `RunInputError`
 * if that fails.
 */
export async function createRunContext<Plan extends RunPlan>(
  plan: Plan,
  { onEvent = () => {}, signal = NEVER_ABORTED, version = DEFAULT_VERSION, cliCommand }: RunOptions,
): Promise<RunContext<Plan>> {
  await makeFolder(plan.folder);
  const resolved = resolvePlan(plan);
  const benchmarkId = createBenchmarkId(resolved.exports);
  onEvent({ type: 'run_created', benchmarkId });
  return {
    plan: resolved,
    benchmarkId,
    version,
    cliCommand,
    clock: createSystemClock(),
    emit: onEvent,
    interruptSignal: signal,
  };
}

/** Creates the ID of a run. AIPerf's IDs have 12 hexadecimal digits. */
function createBenchmarkId({ compatibility }: ExportPlan): string {
  const id = randomUUID();
  return compatibility === 'aiperf-0.13' ? id.replaceAll('-', '').slice(0, 12) : id;
}

/** Formats a command line for `RunOptions.cliCommand`: without secrets, and quoted for a shell. */
export function formatCommandLine(argv: readonly string[]): string {
  return ['servelens', ...redactArguments(argv)].map(quoteShellWord).join(' ');
}
