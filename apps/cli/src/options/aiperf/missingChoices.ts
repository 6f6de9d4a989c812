import type { UnavailableChoices } from '@org/terminal/program';

/** The values of --endpoint-type in AIPerf 0.13.0 that are not available. */
export const MISSING_ENDPOINTS: readonly UnavailableChoices[] = [
  {
    program: 'AIPerf',
    values: ['video_generation'],
    instead:
      'send the bodies of requests, whose responses are not followed until the video is ready: --endpoint-type raw --endpoint PATH --input-file FILE --custom-dataset-type raw_payload',
  },
];

/** The values of --custom-dataset-type in AIPerf 0.13.0 that are not available. */
export const MISSING_DATASET_TYPES: readonly UnavailableChoices[] = [
  {
    program: 'AIPerf',
    values: ['weka_trace', 'tracelab'],
    instead: 'convert the trace to mooncake_trace, and use --custom-dataset-type mooncake_trace',
  },
];

/** The values of --audio-format in AIPerf 0.13.0 that are not available. */
export const MISSING_AUDIO_FORMATS: readonly UnavailableChoices[] = [
  {
    program: 'AIPerf',
    values: ['mp3'],
    instead: 'send clips of the same duration as WAV: --audio-format wav',
  },
];
