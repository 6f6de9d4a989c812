import type { Issue } from '@org/formats';

/** What is wrong with the files of a run, in the words of @org/formats: the page goes on without it, and says so. */
export class ReadIssues {
  readonly #others: string[] = [];
  readonly #byFile: Map<string, { count: number; readonly first: string }> = new Map();

  /** Takes what readers find in a file, line by line. */
  of(file: string): (issue: Pick<Issue, 'path' | 'message'>) => void {
    return ({ path, message }) => this.add(file, `${path}: ${message}`);
  }

  add(file: string, message: string): void {
    const known = this.#byFile.get(file);
    if (known) known.count++;
    else this.#byFile.set(file, { count: 1, first: message });
  }

  /** A sentence about something that is not wrong, and that the page goes on without. */
  tell(note: string): void {
    this.#others.push(note);
  }

  /** A sentence a file. */
  get notes(): string[] {
    const broken = [...this.#byFile].map(([file, { count, first }]) => {
      const more = count > 1 ? `, and ${count - 1} more` : '';
      return `${file} is not read whole: ${first}${more}; servelens validate says all`;
    });
    return [...this.#others, ...broken];
  }
}
