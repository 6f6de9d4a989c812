import { closeSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type FamilyType, type Labels, Layout, type SlotRole } from '@org/core';

/** Number of frames per batch. */
const BATCH = 64;

/** The definition of a slot, from which the slot is recreated in a new layout. */
type SlotDefinition = readonly [
  type: FamilyType,
  name: string,
  help: string,
  labels: Labels,
  part: SlotRole['part'],
  /** Upper bound of a bucket, or quantile of a summary; 0 for other slots. */
  bound: number | 'Infinity',
  text: string,
];

/** A frame in the file: nanoseconds since the first frame, and one value per slot. */
export interface StoredFrame {
  readonly offsetNs: number;
  readonly values: Float64Array;
}

/** Writes the frames of one endpoint to a folder, uncompressed. */
export class FrameWriter {
  readonly #folder: string;
  readonly #file: number;

  constructor(folder: string) {
    this.#folder = folder;
    this.#file = openSync(join(folder, 'frames'), 'w');
  }

  write(offsetNs: number, values: Float64Array): void {
    writeSync(this.#file, Float64Array.of(offsetNs, values.length));
    writeSync(this.#file, values);
  }

  /** Closes the file, and writes the layout of the frames. */
  close(layout: Layout): void {
    closeSync(this.#file);
    writeFileSync(join(this.#folder, 'layout.json'), JSON.stringify(createSlotDefinitions(layout)));
  }
}

/** Yields the frames of a folder in batches. The memory of a batch is reused for the next batch. */
export function* readFrameBatches(folder: string): Generator<readonly StoredFrame[]> {
  const file = openSync(join(folder, 'frames'), 'r');
  const header = new Float64Array(2);
  const rows: Float64Array[] = [];
  try {
    for (;;) {
      const batch: StoredFrame[] = [];
      while (batch.length < BATCH && readSync(file, header) > 0) {
        const [offsetNs, length] = header as unknown as [number, number];
        if (rows[batch.length]?.length !== length) rows[batch.length] = new Float64Array(length);
        const values = rows[batch.length]!;
        readSync(file, values);
        batch.push({ offsetNs, values });
      }
      if (batch.length === 0) return;
      yield batch;
    }
  } finally {
    closeSync(file);
  }
}

/** Creates a layout with the slots of the frames in a folder. */
export function readFrameLayout(folder: string): Layout {
  const definitions = JSON.parse(readFileSync(join(folder, 'layout.json'), 'utf8')) as SlotDefinition[];
  const layout = new Layout();
  for (const definition of definitions) addSlot(layout, definition);
  if (layout.slotCount !== definitions.length) {
    throw new Error(`BUG: a layout of ${definitions.length} slots was restored with ${layout.slotCount}`);
  }
  return layout;
}

function createSlotDefinitions(layout: Layout): SlotDefinition[] {
  return Array.from({ length: layout.slotCount }, (_, slot) => {
    const role = layout.getRole(slot);
    const { family, labels } = role.series;
    const [bound, text] = getBound(role);
    const definition = [family.type, family.name, family.help, labels, role.part] as const;
    return [...definition, bound === Infinity ? 'Infinity' : bound, text] as const;
  });
}

function getBound(role: SlotRole): [number, string] {
  if (role.part === 'bucket') return [role.bucket.le, role.bucket.text];
  if (role.part === 'quantile') return [role.quantile.quantile, role.quantile.text];
  return [0, ''];
}

function addSlot(layout: Layout, [type, name, help, labels, part, bound, text]: SlotDefinition): void {
  const family = { name, type, help };
  if (part === 'value') layout.scalar(family, labels);
  else if (type === 'summary') {
    const series = layout.summary(family, labels);
    if (part === 'quantile') layout.quantile(series, Number(bound), text);
  } else {
    const series = layout.histogram(family, labels);
    if (part === 'bucket') layout.bucket(series, Number(bound), text);
  }
}
