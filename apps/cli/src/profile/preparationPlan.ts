import type { ProbeMode } from '@org/loadgen';
import type { Preparation } from '@org/run';
import { UsageError } from '@org/terminal';
import {
  createOptionError,
  omitUndefined,
  type RawOptions,
  readNumber,
  readSeconds,
  readText,
} from '@org/terminal/program';

const DEFAULT_INTERVAL_S = 5;
const DEFAULT_HOOK_TIMEOUT_S = 30;
/** Minimum of intervals and timeouts, in seconds. */
const MIN_SECONDS = 0.001;

/** Reads the options that prepare servers; undefined if none is set. Throws `UsageError` if an option is invalid. */
export function readPreparation(raw: RawOptions): Preparation | undefined {
  const preparation: Preparation = omitUndefined({
    waitForModels: readWait(raw),
    resetCache: readReset(raw),
    profiler: readProfiler(raw),
  });
  return Object.keys(preparation).length === 0 ? undefined : preparation;
}

function readWait(raw: RawOptions): Preparation['waitForModels'] {
  const timeoutS = readNumber(raw, 'wait-for-model-timeout', { min: 0, unit: 'seconds' }) ?? 0;
  const mode = raw['wait-for-model-mode'] as ProbeMode | undefined;
  const intervalS = readSeconds(raw, 'wait-for-model-interval', MIN_SECONDS);
  if (timeoutS > 0)
    return { timeoutS, mode: mode ?? 'inference', intervalS: intervalS ?? DEFAULT_INTERVAL_S };
  // As in AIPerf, the defaults may be set.
  if ((mode ?? 'inference') !== 'inference')
    throw new UsageError('--wait-for-model-mode requires --wait-for-model-timeout');
  if ((intervalS ?? DEFAULT_INTERVAL_S) !== DEFAULT_INTERVAL_S)
    throw new UsageError('--wait-for-model-interval requires --wait-for-model-timeout');
  return undefined;
}

/** Reads the reset of the KV cache. As in AIPerf, its path or its timeout also enables it. */
function readReset(raw: RawOptions): Preparation['resetCache'] {
  const path = readPath(raw, 'reset-kv-cache-path');
  const timeoutS = readSeconds(raw, 'reset-kv-cache-timeout-seconds', MIN_SECONDS);
  if (raw['reset-kv-cache'] !== true && path === undefined && timeoutS === undefined) return undefined;
  return { path: path ?? '/reset_prefix_cache', timeoutS: timeoutS ?? DEFAULT_HOOK_TIMEOUT_S };
}

/** Reads the profiler of the servers. As in AIPerf, its paths or its timeout also enable it. */
function readProfiler(raw: RawOptions): Preparation['profiler'] {
  const start = readPath(raw, 'server-profiler-start-path');
  const stop = readPath(raw, 'server-profiler-stop-path');
  const timeout = readSeconds(raw, 'server-profiler-timeout-seconds', MIN_SECONDS);
  if (raw['server-profiler'] !== true && [start, stop, timeout].every(value => value === undefined))
    return undefined;
  const timeoutS = timeout ?? DEFAULT_HOOK_TIMEOUT_S;
  return {
    start: { path: start ?? '/start_profile', timeoutS },
    stop: { path: stop ?? '/stop_profile', timeoutS },
  };
}

/** Reads the path of a server. Throws `UsageError` for a URL, which would send requests to another server. */
function readPath(raw: RawOptions, name: string): string | undefined {
  const expected = 'a path that starts with /, such as /reset';
  const path = readText(raw, name, expected);
  if (path !== undefined && (!path.startsWith('/') || path.includes('://')))
    throw createOptionError(name, path, expected);
  return path;
}
