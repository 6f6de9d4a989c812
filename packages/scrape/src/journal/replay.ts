import { EndpointStore, type Layout, type StoreMemory } from '@org/core';
import { toJson } from './bigintJson.ts';
import type { JournalDamage } from './damage.ts';
import { type JournalTail, readJournal } from './reader.ts';
import type { JournalEndpoint, JournalMark, JournalRecord } from './record.ts';

/** One endpoint of a replayed journal. */
export interface ReplayedEndpoint extends JournalEndpoint {
  /** Index of the endpoint in the run. */
  readonly index: number;
  readonly layout: Layout;
  readonly store: EndpointStore;
  /** The last health snapshot; undefined if there is none. */
  readonly health: unknown;
}

/** A run read from its journal. */
export interface Replay {
  /** Description of the run; undefined if the file is truncated before it. */
  readonly run: unknown;
  /** Endpoints, in index order. */
  readonly endpoints: readonly ReplayedEndpoint[];
  /** Marks, in writing order, each once. */
  readonly marks: readonly JournalMark[];
  /** True if the run ended normally and the journal has no data loss. */
  readonly complete: boolean;
  /** Number of frames that could not be written, for example because the disk was full. */
  readonly missedFrames: number;
  /** Size of the unreadable data at the end of the file, in bytes. */
  readonly truncatedBytes: number;
  /**
   * `truncated`: the file ends within a record, because the writer was killed. `corrupted`: data is lost because
   * the file is damaged.
   */
  readonly state: 'complete' | 'truncated' | 'corrupted';
  /** Describes the problem with the file; empty if there is none. */
  readonly message: string;
  /** The damage to the file; absent if there is none. */
  readonly damage?: JournalDamage;
}

/**
 * Reads a journal into stores: all readable frames. Data that exceeds the limit of `memory` is moved to its block
 * storage.
 *
 * Throws `JournalError` if the file is not a journal, and the system error of `node:fs` if the file cannot be
 * read.
 */
export function replayJournal(source: string | Uint8Array, memory?: StoreMemory): Replay {
  const builder = new ReplayBuilder(memory);
  const records = readJournal(source);
  for (const record of records) builder.add(record);
  return builder.build(records.tail!);
}

/** Collects the records of a journal. */
export class ReplayBuilder {
  readonly #memory: StoreMemory | undefined;
  readonly #endpoints = new Map<number, MutableEndpoint>();
  readonly #marks = new Map<string, JournalMark>();
  #run: unknown;
  #missedFrames = 0;
  #hasEnded = false;

  constructor(memory?: StoreMemory) {
    this.#memory = memory;
  }

  add(record: JournalRecord): void {
    if (record.kind === 'frame') this.#endpoints.get(record.endpoint)!.store.append(record.frame);
    else if (record.kind === 'endpoint')
      addEndpoint(
        this.#endpoints,
        record.endpoint,
        record.info,
        new EndpointStore(record.layout, this.#memory),
      );
    else if (record.kind === 'health') this.#endpoints.get(record.endpoint)!.health = record.health;
    else if (record.kind === 'run') this.#run = record.run;
    else if (record.kind === 'mark') this.#marks.set(toKey(record.mark), record.mark);
    else if (record.kind === 'gap') this.#missedFrames = Math.max(this.#missedFrames, record.missedFrames);
    else if (record.kind === 'end') this.#hasEnded = true;
  }

  /** Returns the run as far as it is known. Records that are added later are appended to the same stores. */
  build({ truncatedBytes, state, message, damage }: JournalTail): Replay {
    return {
      run: this.#run,
      endpoints: [...this.#endpoints.values()].sort((a, b) => a.index - b.index),
      marks: [...this.#marks.values()],
      complete: this.#hasEnded && state === 'complete',
      missedFrames: this.#missedFrames,
      truncatedBytes,
      state,
      message,
      ...(damage ? { damage } : {}),
    };
  }
}

/** Returns a text that is equal only for identical marks. A mark may be written again after a failed sync. */
function toKey({ kind, atNs, data }: JournalMark): string {
  return toJson([kind, atNs, data]);
}

type MutableEndpoint = { -readonly [Key in keyof ReplayedEndpoint]: ReplayedEndpoint[Key] };

function addEndpoint(
  endpoints: Map<number, MutableEndpoint>,
  index: number,
  info: JournalEndpoint,
  store: EndpointStore,
): void {
  const existingEndpoint = endpoints.get(index);
  if (existingEndpoint) Object.assign(existingEndpoint, info);
  else
    endpoints.set(index, {
      index,
      ...info,
      layout: store.layout,
      store,
      health: undefined,
    });
}
