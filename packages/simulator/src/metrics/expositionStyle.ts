import { formatCppNumber, formatPythonNumber, formatRustNumber } from './numberFormat.ts';

/** Choices of a client library where the classic text format allows several. */
export interface ExpositionStyle {
  readonly number: (value: number) => string;
  /** True if `le` and `quantile` are sorted among the labels; otherwise they are last. */
  readonly sortsBoundLabel: boolean;
  /** Parts of a histogram, in order. */
  readonly histogram: readonly ('bucket' | 'sum' | 'count')[];
  /** Parts of a summary, in order. */
  readonly summary: readonly ('quantile' | 'sum' | 'count')[];
  /** True if counters, histograms and summaries have creation times. */
  readonly created: boolean;
  /** True if families and their series are sorted; otherwise they are in order of creation. */
  readonly sorted: boolean;
  /** True if OpenMetrics is sent to clients that accept it. */
  readonly openMetrics: boolean;
  /** True if bodies are compressed for clients that accept gzip. */
  readonly gzip: boolean;
}

/** prometheus_client in one process: vLLM, TensorRT-LLM. */
export const pythonStyle: ExpositionStyle = {
  number: formatPythonNumber,
  sortsBoundLabel: true,
  histogram: ['bucket', 'count', 'sum'],
  summary: ['quantile', 'count', 'sum'],
  created: true,
  sorted: false,
  openMetrics: true,
  gzip: true,
};

/** prometheus_client in multiprocess mode: SGLang. The sum comes first, and there are no creation times. */
export const pythonMultiprocessStyle: ExpositionStyle = {
  ...pythonStyle,
  histogram: ['sum', 'bucket', 'count'],
  created: false,
};

/** The Rust `prometheus` crate: Dynamo. */
export const rustStyle: ExpositionStyle = {
  number: formatRustNumber,
  sortsBoundLabel: false,
  histogram: ['bucket', 'sum', 'count'],
  summary: ['quantile', 'sum', 'count'],
  created: false,
  sorted: true,
  openMetrics: false,
  gzip: false,
};

/** prometheus-cpp: Triton. */
export const cppStyle: ExpositionStyle = {
  number: formatCppNumber,
  sortsBoundLabel: false,
  histogram: ['count', 'sum', 'bucket'],
  summary: ['count', 'sum', 'quantile'],
  created: false,
  sorted: false,
  openMetrics: false,
  gzip: false,
};
