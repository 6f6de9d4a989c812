/** The formats that `--custom-dataset-type` accepts, by the names of AIPerf; AIPerf knows `sharegpt` only as a public data set. */
export const DATASET_TYPES = [
  'single_turn',
  'multi_turn',
  'random_pool',
  'raw_payload',
  'inputs_json',
  'sharegpt',
  'dag_jsonl',
  'mooncake_trace',
  'bailian_trace',
  'burst_gpt_trace',
  'baseten_trace',
  'sagemaker_data_capture',
] as const;

/** The format of an input file. `rows`: the files of a data set of the Hugging Face hub. */
export type DatasetType = (typeof DATASET_TYPES)[number] | 'rows';

/** The format of a trace: its timestamps are a schedule, and most formats lack the texts of prompts. */
export type TraceType = Extract<DatasetType, `${string}_trace` | 'sagemaker_data_capture'>;

/** Reports whether a format is a trace. */
export function isTraceType(type: DatasetType | undefined): type is TraceType {
  return type !== undefined && (type.endsWith('_trace') || type === 'sagemaker_data_capture');
}
