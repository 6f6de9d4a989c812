import type { Issue } from '@org/formats';

/** Collects problems with the files of a run. The page omits the affected data and lists the problems. */
export class ReadIssues {
  readonly #notes: string[] = [];
  readonly #byFile: Map<string, { count: number; readonly first: string }> = new Map();

  /** Returns a callback for the issues of a file. */
  createCallback(file: string): (issue: Pick<Issue, 'place' | 'message'>) => void {
    return ({ place, message }) => this.add(file, `${place}: ${message}`);
  }

  /** Adds an issue of a file. */
  add(file: string, message: string): void {
    const entry = this.#byFile.get(file);
    if (entry) entry.count++;
    else this.#byFile.set(file, { count: 1, first: message });
  }

  /** Adds a note that is not an issue of a file. */
  addNote(note: string): void {
    this.#notes.push(note);
  }

  /** The notes, followed by one note per file with issues. */
  get notes(): string[] {
    const fileNotes = [...this.#byFile].map(([file, { count, first }]) => {
      const moreText = count > 1 ? `, and ${count - 1} more` : '';
      return `${file} was not read completely: ${first}${moreText}; to list all issues, run servelens validate`;
    });
    return [...this.#notes, ...fileNotes];
  }
}
