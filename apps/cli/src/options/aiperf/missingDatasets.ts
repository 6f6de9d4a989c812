import type { UnavailableChoices } from '@org/terminal/program';
import { SPEED_BENCH } from './missingChoices.ts';

/** How to convert the rows of a data set to a file for --input-file. */
const LINES = {
  prompts: 'write a file with one line such as {"text":"..."} per prompt, and use --input-file FILE',
  conversations:
    'write a file with one line such as {"turns":[{"text":"..."}]} per conversation, and use --input-file FILE --custom-dataset-type multi_turn',
  images:
    'write a file with one line such as {"text":"...","image":"a.png"} per row, and use --input-file FILE',
  clips:
    'write a file with one line such as {"text":"...","audio":"a.wav"} per row, and use --input-file FILE',
  videos:
    'write a file with one line such as {"text":"...","video":"https://..."} per row, and use --input-file FILE',
} as const;

/** The data sets of --public-dataset in AIPerf 0.13.0, except for traces: the name of each one on the Hugging Face hub. */
const DATASETS: Readonly<Record<keyof typeof LINES, Readonly<Record<string, string>>>> = {
  prompts: {
    blazedit_5k: 'vdaita/edit_5k_char',
    blazedit_10k: 'vdaita/edit_10k_char',
  },
  conversations: {
    vision_arena: 'lmarena-ai/VisionArena-Chat',
    exgentic: 'Exgentic/agent-llm-traces',
    exgentic_v2: 'Exgentic/agent-llm-traces-v2',
  },
  images: { mmstar: 'Lin-Chen/MMStar', llava_onevision: 'lmms-lab/LLaVA-OneVision-Data' },
  clips: {
    librispeech: 'openslr/librispeech_asr',
    voxpopuli: 'facebook/voxpopuli',
    gigaspeech: 'speechcolab/gigaspeech',
    ami: 'edinburghcstr/ami',
    spgispeech: 'kensho/spgispeech',
  },
  videos: { mmvu: 'yale-nlp/MMVU' },
};

/** The data sets of --public-dataset that are Weka traces. */
const WEKA_TRACES = [
  'semianalysis_cc_traces_weka',
  'semianalysis_cc_traces_weka_no_subagents',
  'semianalysis_cc_traces_weka_with_subagents',
  'semianalysis_cc_traces_weka_with_subagents_256k',
  'semianalysis_cc_traces_weka_with_subagents_060226',
  'semianalysis_cc_traces_weka_with_subagents_060226_256k',
  'semianalysis_cc_traces_weka_with_subagents_060526',
  'semianalysis_cc_traces_weka_with_subagents_060526_256k',
  'semianalysis_cc_traces_weka_with_subagents_060826',
  'semianalysis_cc_traces_weka_with_subagents_060826_256k',
  'semianalysis_cc_traces_weka_061326',
  'semianalysis_cc_traces_weka_061326_256k',
  'semianalysis_cc_traces_weka_061526',
  'semianalysis_cc_traces_weka_061526_256k',
  'semianalysis_cc_traces_weka_062126',
  'semianalysis_cc_traces_weka_062126_256k',
  'weka_hf',
];

/** The data sets of --public-dataset in AIPerf 0.13.0 that are not available, with what to use instead. */
export const MISSING_DATASETS: readonly UnavailableChoices[] = [
  SPEED_BENCH,
  ...Object.entries(DATASETS).flatMap(([kind, names]) =>
    Object.entries(names).map(([name, id]) => ({
      program: 'AIPerf',
      values: [name],
      instead: `download ${id} with "hf download --repo-type dataset ${id}", ${LINES[kind as keyof typeof LINES]}`,
    })),
  ),
  {
    program: 'AIPerf',
    values: WEKA_TRACES,
    instead:
      'convert the trace to mooncake_trace, and use --input-file FILE --custom-dataset-type mooncake_trace',
  },
  {
    program: 'AIPerf',
    values: ['spec_bench'],
    instead: `download the data set Spec-Bench, ${LINES.conversations}`,
  },
];
