import type { UnavailableChoices } from '@org/terminal/program';

/** The values of --endpoint-type in AIPerf 0.13.0 that are not available. */
export const MISSING_ENDPOINTS: readonly UnavailableChoices[] = [
  {
    program: 'AIPerf',
    values: ['video_generation'],
    instead:
      'send prepared bodies with --endpoint-type raw --endpoint PATH --input-file FILE --custom-dataset-type raw_payload (Servelens does not wait until the video is ready)',
  },
];

const SPEED_BENCH_DOMAINS = [
  ...['qualitative', 'coding', 'humanities', 'math', 'multilingual', 'qa', 'rag'],
  ...['reasoning', 'roleplay', 'stem', 'summarization', 'writing'],
];
const SPEED_BENCH_LENGTHS = ['1k', '2k', '8k', '16k', '32k'].flatMap(length =>
  ['', '_low_entropy', '_mixed', '_high_entropy'].map(tier => `throughput_${length}${tier}`),
);

/** The parts of SPEED-Bench: types of files in AIPerf 0.13.0, and public data sets in other versions. */
export const SPEED_BENCH: UnavailableChoices = {
  program: 'AIPerf',
  values: [...SPEED_BENCH_DOMAINS, ...SPEED_BENCH_LENGTHS].map(name => `speed_bench_${name}`),
  instead:
    'convert each line of SPEED-Bench to a line such as {"turns":[{"text":"..."}]}, with one turn per message, and use --input-file FILE --custom-dataset-type multi_turn',
};

/** The values of --custom-dataset-type in AIPerf 0.13.0 that are not available. */
export const MISSING_DATASET_TYPES: readonly UnavailableChoices[] = [
  SPEED_BENCH,
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
