import { EndpointStore, type Layout, type StoreMemory } from '@org/core';
import { readJournal } from './reader.ts';
import type { JournalEndpoint, JournalMark } from './record.ts';

/** What a journal says of one endpoint. */
export interface ReplayedEndpoint extends JournalEndpoint {
  /** The endpoint's index in the run. */
  readonly index: number;
  readonly layout: Layout;
  readonly store: EndpointStore;
  /** The last snapshot of how it has fared; undefined when there is none. */
  readonly health: unknown;
}

/** What a journal says of its run. */
export interface Replay {
  /** What the run began with; undefined when the file was cut before that. */
  readonly run: unknown;
  /** In the order of their indices. */
  readonly endpoints: readonly ReplayedEndpoint[];
  /** In the order in which they were written. */
  readonly marks: readonly JournalMark[];
  /** Whether the run ended in order, and all that was written is there. */
  readonly complete: boolean;
  /** Frames that could not be written when they came, of a full disk say. */
  readonly missedFrames: number;
  /** Bytes at the end, or behind damage, that could not be read. */
  readonly truncatedBytes: number;
  /** `cut` when the writer was killed in the middle of a record; `damaged` when the file was changed. */
  readonly state: 'whole' | 'cut' | 'damaged';
  /** What is wrong with the file, for people; empty when nothing is. */
  readonly message: string;
}

/**
 * Reads a whole journal back into stores: every frame that was appended before the file ends or is damaged, bit by bit.
 * What does not fit into `memory` is kept in its storage.
 *
 * Throws as reading does: `JournalError` for what is no journal, the error of `node:fs` for a file that cannot be read.
 */
export function replayJournal(source: string | Uint8Array, memory?: StoreMemory): Replay {
  const endpoints = new Map<number, MutableEndpoint>();
  const marks: JournalMark[] = [];
  let run: unknown;
  let missedFrames = 0;
  let hasEnded = false;
  const records = readJournal(source);
  for (const record of records) {
    if (record.kind === 'frame') endpoints.get(record.endpoint)!.store.append(record.frame);
    else if (record.kind === 'endpoint')
      introduce(endpoints, record.endpoint, record.info, new EndpointStore(record.layout, memory));
    else if (record.kind === 'health') endpoints.get(record.endpoint)!.health = record.health;
    else if (record.kind === 'run') run = record.run;
    else if (record.kind === 'mark') marks.push(record.mark);
    else if (record.kind === 'gap') missedFrames = record.missedFrames;
    else if (record.kind === 'end') hasEnded = true;
  }
  const { truncatedBytes, state, message } = records.tail!;
  return {
    run,
    endpoints: [...endpoints.values()].sort((a, b) => a.index - b.index),
    marks,
    complete: hasEnded && state === 'whole',
    missedFrames,
    truncatedBytes,
    state,
    message,
  };
}

type MutableEndpoint = { -readonly [Key in keyof ReplayedEndpoint]: ReplayedEndpoint[Key] };

function introduce(
  endpoints: Map<number, MutableEndpoint>,
  index: number,
  { url, configuredUrl }: JournalEndpoint,
  store: EndpointStore,
): void {
  const known = endpoints.get(index);
  if (known) Object.assign(known, { url, configuredUrl });
  else
    endpoints.set(index, {
      index,
      url,
      configuredUrl,
      layout: store.layout,
      store,
      health: undefined,
    });
}
