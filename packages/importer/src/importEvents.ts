import type { Api } from './api/sampleReader.ts';

/** A notification of an import. */
export type ImportEvent =
  | { readonly type: 'api_selected'; readonly api: Api; readonly rejected: readonly string[] }
  | { readonly type: 'continued'; readonly pieces: number; readonly total: number }
  | {
      readonly type: 'read';
      readonly pieces: number;
      readonly total: number;
      /** Number of series and bytes of the current piece. */
      readonly series: number;
      readonly bytes: number;
    }
  | { readonly type: 'retried'; readonly message: string }
  | { readonly type: 'endpoint_built'; readonly endpoints: number; readonly total: number };

export type ImportEventSink = (event: ImportEvent) => void;
