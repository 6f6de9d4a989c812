/** A data set of the Hugging Face hub whose rows are prompts. */
export interface HubRows {
  readonly id: string;
  readonly split: string;
  readonly subset?: string;
  /** The column with the prompts: texts, or lists of texts, which are the turns of conversations. */
  readonly column: string;
}

/** The data set of --public-dataset in the format of ShareGPT. */
export const SHAREGPT = {
  id: 'anon8231489123/ShareGPT_Vicuna_unfiltered',
  file: 'ShareGPT_V3_unfiltered_cleaned_split.json',
} as const;

/** The data sets of --public-dataset whose rows are prompts, with the splits, subsets and columns of AIPerf 0.13.0. */
export const PUBLIC_ROWS: Readonly<Record<string, HubRows>> = {
  aimo: { id: 'AI-MO/NuminaMath-TIR', split: 'train', column: 'problem' },
  aimo_aime: { id: 'AI-MO/aimo-validation-aime', split: 'train', column: 'problem' },
  aimo_numina_cot: { id: 'AI-MO/NuminaMath-CoT', split: 'train', column: 'problem' },
  aimo_numina_1_5: { id: 'AI-MO/NuminaMath-1.5', split: 'train', column: 'problem' },
  spec_al_gsm8k: { id: 'openai/gsm8k', split: 'test', subset: 'main', column: 'question' },
  spec_al_math500: { id: 'HuggingFaceH4/MATH-500', split: 'test', column: 'problem' },
  spec_al_humaneval: { id: 'openai/openai_humaneval', split: 'test', column: 'prompt' },
  spec_al_mbpp: { id: 'google-research-datasets/mbpp', split: 'test', subset: 'full', column: 'text' },
  spec_al_mtbench: { id: 'HuggingFaceH4/mt_bench_prompts', split: 'train', column: 'prompt' },
  instruct_coder: { id: 'likaixin/InstructCoder', split: 'train', column: 'instruction' },
};
