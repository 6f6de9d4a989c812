import { cppNumber, pythonNumber, rustNumber } from './number.ts';

/** How a client library lays out the classic text format where the format leaves it a choice. */
export interface Style {
  readonly number: (value: number) => string;
  /** Whether `le` and `quantile` stand in alphabetical order among the labels, or after them. */
  readonly boundAmongLabels: boolean;
  /** Parts of a histogram, in order. */
  readonly histogram: readonly ('bucket' | 'sum' | 'count')[];
  /** Parts of a summary, in order. */
  readonly summary: readonly ('quantile' | 'sum' | 'count')[];
  /** Whether counters, histograms and summaries tell when they were created. */
  readonly created: boolean;
  /** Whether families and their series are sorted, or stand as declared. */
  readonly sorted: boolean;
  /** Whether OpenMetrics is spoken to those who ask for it. */
  readonly openMetrics: boolean;
  /** Whether a body is compressed for those who accept it. */
  readonly gzip: boolean;
}

/** prometheus_client in one process: vLLM, TensorRT-LLM. */
export const pythonStyle: Style = {
  number: pythonNumber,
  boundAmongLabels: true,
  histogram: ['bucket', 'count', 'sum'],
  summary: ['quantile', 'count', 'sum'],
  created: true,
  sorted: false,
  openMetrics: true,
  gzip: true,
};

/** prometheus_client in multiprocess mode: SGLang. The sum comes first, and creation times are lost. */
export const pythonMultiprocessStyle: Style = {
  ...pythonStyle,
  histogram: ['sum', 'bucket', 'count'],
  created: false,
};

/** The Rust `prometheus` crate: Dynamo. */
export const rustStyle: Style = {
  number: rustNumber,
  boundAmongLabels: false,
  histogram: ['bucket', 'sum', 'count'],
  summary: ['quantile', 'sum', 'count'],
  created: false,
  sorted: true,
  openMetrics: false,
  gzip: false,
};

/** prometheus-cpp: Triton. */
export const cppStyle: Style = {
  number: cppNumber,
  boundAmongLabels: false,
  histogram: ['count', 'sum', 'bucket'],
  summary: ['count', 'sum', 'quantile'],
  created: false,
  sorted: false,
  openMetrics: false,
  gzip: false,
};
