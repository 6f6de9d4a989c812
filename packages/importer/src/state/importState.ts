import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { IMPORT_FOLDER, IMPORT_PLAN_FILE, RunInputError } from '@org/record';
import type { Api } from '../api/sampleReader.ts';
import { attemptWrite } from '../spool/writeErrors.ts';

/** The options of an import as the user wrote them. The same options continue an interrupted import. */
export interface RequestedImport {
  readonly url: string;
  readonly match: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly api: string;
  readonly piece_ms: number;
  readonly step_ms: number;
}

/** The progress of an import: its options, and the range that they meant when the import started. */
export interface ImportPlan {
  readonly requested: RequestedImport;
  readonly from_ms: number;
  readonly to_ms: number;
  /** The API that the pieces were read from; absent until the first piece is complete. Without it, no piece counts. */
  readonly used_api?: Api;
  /** Sentences about samples of complete pieces that could not be imported. */
  readonly losses?: readonly string[];
}

/** The folder of an import that is running, or that was interrupted. */
export class ImportState {
  readonly folder: string;
  #plan: ImportPlan;

  private constructor(folder: string, plan: ImportPlan) {
    this.folder = folder;
    this.#plan = plan;
  }

  /**
   * Continues the import in an artifact folder, or starts one. Throws `RunInputError` if the folder has an import with
   * other options, or cannot be written to.
   */
  static open(artifactFolder: string, fresh: ImportPlan): ImportState {
    const folder = join(artifactFolder, IMPORT_FOLDER);
    const existing = readPlan(folder);
    if (existing) {
      const difference = findDifference(existing.requested, fresh.requested);
      if (difference !== undefined)
        throw new RunInputError(
          `${folder} contains an unfinished import with another ${difference}; use the same options to continue it, another --artifact-dir, or delete that folder`,
        );
      return new ImportState(folder, existing);
    }
    attemptWrite(folder, () => mkdirSync(folder, { recursive: true }));
    const state = new ImportState(folder, fresh);
    try {
      state.#write();
    } catch (error) {
      state.remove();
      throw error;
    }
    return state;
  }

  get plan(): ImportPlan {
    return this.#plan;
  }

  /** Records a complete piece: the API that it was read from, and what could not be imported. */
  recordPiece(api: Api, losses: readonly string[]): void {
    const previous = this.#plan;
    const known = previous.losses ?? [];
    const all = [...new Set([...known, ...losses])];
    if (previous.used_api === api && all.length === known.length) return;
    this.#plan = { ...previous, used_api: api, ...(all.length === 0 ? {} : { losses: all }) };
    try {
      this.#write();
    } catch (error) {
      this.#plan = previous;
      throw error;
    }
  }

  /** Removes the pieces. */
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #write(): void {
    const path = getPlanPath(this.folder);
    attemptWrite(path, () => {
      writeFileSync(`${path}.tmp`, `${JSON.stringify(this.#plan, null, 2)}\n`);
      renameSync(`${path}.tmp`, path);
    });
  }
}

function getPlanPath(folder: string): string {
  return join(folder, IMPORT_PLAN_FILE);
}

function readPlan(folder: string): ImportPlan | undefined {
  try {
    return JSON.parse(readFileSync(getPlanPath(folder), 'utf8')) as ImportPlan;
  } catch {
    return undefined;
  }
}

/** The options in messages. */
const OPTION_NAMES: Readonly<Record<keyof RequestedImport, string>> = {
  url: 'URL',
  match: '--match',
  from: '--from',
  to: '--to',
  api: '--api',
  piece_ms: '--piece-duration',
  step_ms: '--step',
};

function findDifference(a: RequestedImport, b: RequestedImport): string | undefined {
  const keys = Object.keys(OPTION_NAMES) as (keyof RequestedImport)[];
  const different = keys.find(key => JSON.stringify(a[key]) !== JSON.stringify(b[key]));
  return different && OPTION_NAMES[different];
}
