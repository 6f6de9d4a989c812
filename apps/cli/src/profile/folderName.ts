import type { PhaseOptions } from '@org/loadgen';
import type { RequestPlan } from '@org/run';

/** Maximum length of the model in a folder name. */
const MAX_MODEL_LENGTH = 100;

/** Formats the default name of an artifact folder as in AIPerf, such as `Qwen_Qwen3-0.6B-openai-chat-concurrency4`. */
export function formatFolderName(
  { models, endpoint }: Pick<RequestPlan, 'models' | 'endpoint'>,
  profiling: PhaseOptions,
  fixedSchedule: boolean,
): string {
  return [formatModels(models), 'openai', endpoint, formatLoad(profiling, fixedSchedule)].join('-');
}

/** Formats the first model. Replaces characters that are not allowed or inconvenient in names of folders. */
function formatModels([first = '', ...others]: readonly string[]): string {
  const name = first
    .replace(/[^\w.:@+-]/g, '_')
    .replace(/^\.+/, '')
    .slice(0, MAX_MODEL_LENGTH);
  return `${name || 'model'}${others.length > 0 ? '_multi' : ''}`;
}

function formatLoad({ concurrency, rate }: PhaseOptions, fixedSchedule: boolean): string {
  if (fixedSchedule) return 'fixed_schedule';
  const parts = [
    ...(concurrency === undefined ? [] : [`concurrency${concurrency}`]),
    // AIPerf formats rates as floats: 5.0.
    ...(rate === undefined ? [] : [`request_rate${Number.isInteger(rate) ? rate.toFixed(1) : rate}`]),
  ];
  return parts.join('-');
}
