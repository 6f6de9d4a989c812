import {
  formatCppNumber,
  formatLlamaCppNumber,
  formatPythonNumber,
  formatRustNumber,
} from './numberFormat.ts';

/** The formatting of a client library, within the variations that the text format permits. */
export interface ExpositionStyle {
  readonly formatNumber: (value: number) => string;
  /** True if `le` and `quantile` are sorted with the other labels; otherwise, they are last. */
  readonly sortsBoundLabel: boolean;
  /** Parts of a histogram, in order. */
  readonly histogram: readonly ('bucket' | 'sum' | 'count')[];
  /** Parts of a summary, in order. */
  readonly summary: readonly ('quantile' | 'sum' | 'count')[];
  /** True if counters, histograms and summaries have `_created` samples. */
  readonly hasCreationTimes: boolean;
  /** True if families and series are sorted; otherwise, they are in creation order. */
  readonly isSorted: boolean;
  /** True if families without series are left out; otherwise, their HELP and TYPE lines are written. */
  readonly omitsEmptyFamilies: boolean;
  /** True if OpenMetrics is sent to clients that accept it. */
  readonly supportsOpenMetrics: boolean;
  /** True if bodies are compressed for clients that accept gzip. */
  readonly supportsGzip: boolean;
}

/** prometheus_client in a single process, as in vLLM and TensorRT-LLM. */
export const PYTHON_STYLE: ExpositionStyle = {
  formatNumber: formatPythonNumber,
  sortsBoundLabel: true,
  histogram: ['bucket', 'count', 'sum'],
  summary: ['quantile', 'count', 'sum'],
  hasCreationTimes: true,
  isSorted: false,
  omitsEmptyFamilies: false,
  supportsOpenMetrics: true,
  supportsGzip: true,
};

/** prometheus_client in multiprocess mode, as in SGLang. The sum comes first, and there are no creation times. */
export const PYTHON_MULTIPROCESS_STYLE: ExpositionStyle = {
  ...PYTHON_STYLE,
  histogram: ['sum', 'bucket', 'count'],
  hasCreationTimes: false,
};

/** The Rust `prometheus` crate, as in Dynamo. */
export const RUST_STYLE: ExpositionStyle = {
  formatNumber: formatRustNumber,
  sortsBoundLabel: false,
  histogram: ['bucket', 'sum', 'count'],
  summary: ['quantile', 'sum', 'count'],
  hasCreationTimes: false,
  isSorted: true,
  omitsEmptyFamilies: true,
  supportsOpenMetrics: false,
  supportsGzip: false,
};

/** prometheus-cpp, as in Triton. */
export const CPP_STYLE: ExpositionStyle = {
  formatNumber: formatCppNumber,
  sortsBoundLabel: false,
  histogram: ['count', 'sum', 'bucket'],
  summary: ['count', 'sum', 'quantile'],
  hasCreationTimes: false,
  isSorted: false,
  omitsEmptyFamilies: false,
  supportsOpenMetrics: false,
  supportsGzip: false,
};

/** llama.cpp, which writes its page itself. */
export const LLAMA_CPP_STYLE: ExpositionStyle = { ...CPP_STYLE, formatNumber: formatLlamaCppNumber };

/** The Rust crate `metrics-exporter-prometheus`, as in the SGLang router. */
export const RUST_METRICS_STYLE: ExpositionStyle = { ...RUST_STYLE, isSorted: false };
