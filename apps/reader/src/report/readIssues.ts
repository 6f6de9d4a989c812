import type { Issue } from '@org/formats';

/** Collects problems with the files of a run. The page omits the affected data and lists the problems. */
export class ReadIssues {
  readonly #notes: string[] = [];
  readonly #byFile: Map<string, { count: number; readonly first: string }> = new Map();

  /** Returns a callback for the issues of a file. */
  createCallback(file: string): (issue: Pick<Issue, 'path' | 'message'>) => void {
    return ({ path, message }) => this.add(file, `${path}: ${message}`);
  }

  /** Adds an issue of a file. */
  add(file: string, message: string): void {
    const known = this.#byFile.get(file);
    if (known) known.count++;
    else this.#byFile.set(file, { count: 1, first: message });
  }

  /** Adds a note that is not about a broken file. */
  addNote(note: string): void {
    this.#notes.push(note);
  }

  /** The notes, and one sentence per broken file. */
  get notes(): string[] {
    const broken = [...this.#byFile].map(([file, { count, first }]) => {
      const more = count > 1 ? `, and ${count - 1} more` : '';
      return `${file} was not read completely: ${first}${more}; to list all issues, run servelens validate`;
    });
    return [...this.#notes, ...broken];
  }
}
