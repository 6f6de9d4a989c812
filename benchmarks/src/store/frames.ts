import { closeSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type FamilyType, type Labels, Layout, type SlotRole } from '@org/core';

/** Frames that are brought to memory at once: their reading is not what is measured. */
const BATCH = 64;

/** What one slot is, enough to make it again in a new layout. */
type SlotPlan = readonly [
  type: FamilyType,
  name: string,
  help: string,
  labels: Labels,
  part: SlotRole['part'],
  /** Of a bucket or quantile. */
  bound: number | 'Infinity',
  text: string,
];

/** A frame as the file has it: ns since the first frame, and a value per slot. */
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

  /** Ends the file; the layout is the one that the frames have by then. */
  close(layout: Layout): void {
    closeSync(this.#file);
    writeFileSync(join(this.#folder, 'layout.json'), JSON.stringify(slotPlans(layout)));
  }
}

/** The frames of a folder in batches, each in memory of its own until the next is asked for. */
export function* frameBatches(folder: string): Generator<readonly StoredFrame[]> {
  const file = openSync(join(folder, 'frames'), 'r');
  const head = new Float64Array(2);
  const rows: Float64Array[] = [];
  try {
    for (;;) {
      const batch: StoredFrame[] = [];
      while (batch.length < BATCH && readSync(file, head) > 0) {
        const [offsetNs, length] = head as unknown as [number, number];
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

/** A new layout with the slots that the frames of a folder have. */
export function frameLayout(folder: string): Layout {
  const plans = JSON.parse(readFileSync(join(folder, 'layout.json'), 'utf8')) as SlotPlan[];
  const layout = new Layout();
  for (const plan of plans) addSlot(layout, plan);
  if (layout.slotCount !== plans.length) {
    throw new Error(`BUG: a layout of ${plans.length} slots came back with ${layout.slotCount}`);
  }
  return layout;
}

function slotPlans(layout: Layout): SlotPlan[] {
  return Array.from({ length: layout.slotCount }, (_, slot) => {
    const role = layout.slot(slot);
    const { family, labels } = role.series;
    const [bound, text] = boundOf(role);
    const plan = [family.type, family.name, family.help, labels, role.part] as const;
    return [...plan, bound === Infinity ? 'Infinity' : bound, text] as const;
  });
}

function boundOf(role: SlotRole): [number, string] {
  if (role.part === 'bucket') return [role.bucket.le, role.bucket.text];
  if (role.part === 'quantile') return [role.quantile.quantile, role.quantile.text];
  return [0, ''];
}

function addSlot(layout: Layout, [type, name, help, labels, part, bound, text]: SlotPlan): void {
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
