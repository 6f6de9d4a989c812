import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type AccessError, fileError, readCredentialFile } from './credentialFile.ts';

/** How long label was read is believed, ms: 200 endpoints that share a file need not read it 600 times a second. */
const CACHE_MS = 1000;
/** Larger ones are no token and no password. */
const MAX_BYTES = 65_536;

/**
 * A file with one line that is a secret. It is read again when a second has passed, since tokens are rotated while a run
 * goes on. A file that cannot be read any more, or is empty while it is being written, leaves the last secret in force.
 */
export class SecretFile {
  readonly path: string;
  readonly #label: string;
  /** A pipe, as of a shell's `<(...)`, can be read once. */
  readonly #isRegularFile: boolean;
  readonly #check: (line: string) => string | undefined;
  #line: string;
  #readMs: number;

  /**
   * Reads the file. `label` names it in messages; `check` says label is wrong with a line.
   * Throws `AccessError` when it cannot be read, or has anything but one line.
   */
  constructor(path: string, label: string, check: (line: string) => string | undefined = () => undefined) {
    this.path = path;
    this.#label = label;
    this.#check = check;
    this.#line = this.#parse(readCredentialFile(label, path));
    this.#isRegularFile = statSync(path).isFile();
    this.#readMs = performance.now();
  }

  /** The secret as it stands now. */
  get line(): string {
    return this.#line;
  }

  /** Reads the file again unless that was done within the last second. */
  async refresh(): Promise<void> {
    if (performance.now() - this.#readMs >= CACHE_MS) await this.reread();
  }

  /** Reads the file again, at once. Returns whether the secret is another one now. */
  async reread(): Promise<boolean> {
    if (!this.#isRegularFile) return false;
    this.#readMs = performance.now();
    const before = this.#line;
    try {
      this.#line = this.#parse(await readFile(this.path, 'utf8'));
    } catch {
      // Between two tokens: the last one may still be good, and if it is not the server says so.
    }
    return this.#line !== before;
  }

  #parse(text: string): string {
    if (text.length > MAX_BYTES) throw this.#error(`has ${text.length} bytes; expected one line`);
    const line = text.replace(/^\uFEFF/, '').trim();
    if (line === '') throw this.#error('is empty; expected one line');
    if (/[\r\n]/.test(line)) throw this.#error(`has ${line.split(/\r?\n/).length} lines; expected one`);
    // What HTTP forbids in a header; the secret itself is not for a message.
    if (/[^\t\x20-\x7e\x80-\uffff]/.test(line))
      throw this.#error('has control characters; expected one line of text');
    const wrong = this.#check(line);
    if (wrong !== undefined) throw this.#error(wrong);
    return line;
  }

  #error(problem: string): AccessError {
    return fileError(this.#label, this.path, problem);
  }
}
