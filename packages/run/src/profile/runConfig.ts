import type { RunInfo } from '@org/formats';
import { stringifyJson } from '@org/formats/write';

/**
 * Returns the text of run_config.json: the configuration of one of several runs, in the shape of AIPerf's BenchmarkRun.
 * `inputConfig` contains no secrets.
 */
export function writeRunConfig(
  folder: string,
  inputConfig: Readonly<Record<string, unknown>>,
  info: RunInfo,
): string {
  const config = {
    benchmark_id: info.benchmark_id,
    ...(info.sweep_id ? { sweep_id: info.sweep_id } : {}),
    cfg: inputConfig,
    variation: {
      index: info.variation_index,
      label: info.variation_label,
      values: info.variation_values,
    },
    trial: info.trial,
    artifact_dir: folder,
    label: info.run_label,
    ...(info.cli_command ? { cli_command: info.cli_command } : {}),
    random_seed: info.random_seed,
    variables: {},
    // AIPerf writes its default even if it does not look for GPUs.
    resolved: { gpu_telemetry_mode: 'summary', artifact_dir_created: false },
  };
  return stringifyJson(config, 2);
}
