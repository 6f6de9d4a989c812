import type { UnavailableOptions } from '@org/terminal/program';

const TOPICS: readonly Omit<UnavailableOptions, 'program'>[] = [
  {
    names: ['download-video-content'],
    instead: 'omit it: videos are inputs only, and none are generated',
  },
  {
    names: ['hf-weka-dataset', 'dataset-filter'],
    instead: 'download the data set, convert it, and use --input-file FILE',
  },
  {
    names: ['ignore-trace-delays', 'use-think-time-only', 'max-context-length'],
    instead: 'convert the Weka trace, the only format with this option, to mooncake_trace',
  },
  {
    names: [
      'scenario',
      'unsafe-override',
      'trajectory-start-min-ratio',
      'trajectory-start-max-ratio',
      'burst-phase-starts',
      'trace-idle-gap-cap-seconds',
      'system-idle-gap-cap-seconds',
      'agentic-cache-warmup-duration',
      'agentic-warmup-grace-period',
    ],
    instead: 'replay a trace at its timestamps with --input-file FILE --custom-dataset-type mooncake_trace',
  },
  {
    names: [
      'video-batch-size',
      'batch-size-video',
      'video-duration',
      'video-fps',
      'video-width',
      'video-height',
      'video-synth-type',
      'video-format',
      'video-codec',
      'video-audio-sample-rate',
      'video-audio-num-channels',
      'video-audio-codec',
      'video-audio-depth',
    ],
    instead: 'name videos by their URLs in --input-file FILE',
  },
  {
    names: [
      'mlflow-tracking-uri',
      'mlflow-experiment',
      'mlflow-run-name',
      'mlflow-tag',
      'mlflow-parent-run-id',
      'mlflow-artifact-glob',
      'wandb-project',
      'wandb-entity',
      'wandb-run-name',
      'wandb-tag',
    ],
    instead: 'upload the files of the run after it has ended',
  },
  {
    names: ['stream'],
    instead: 'omit it: --otel-url and --push send the figures of the client and of the servers',
  },
  {
    names: ['optuna-sampler', 'optuna-acquisition', 'optuna-terminator'],
    instead: 'omit it: --search-planner latin_hypercube replaces the planners of AIPerf',
  },
  {
    names: [
      'accuracy-benchmark',
      'accuracy-tasks',
      'accuracy-n-shots',
      'accuracy-enable-cot',
      'accuracy-no-enable-cot',
      'accuracy-grader',
      'accuracy-system-prompt',
      'accuracy-verbose',
    ],
    instead: 'measure the accuracy with an evaluation program such as lm-eval, before or after the load',
  },
  {
    names: ['api-port', 'api-host'],
    instead: 'show the run in a browser while it is running: --web PORT',
  },
];

/** The options of AIPerf 0.13.0 that are not available, by topic. */
export const MISSING_OPTIONS: readonly UnavailableOptions[] = TOPICS.map(topic => ({
  program: 'AIPerf',
  ...topic,
}));
