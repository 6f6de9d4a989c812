import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { CredentialFileError, readCredentialFile } from './credentialFile.ts';

/**
 * Minimum time between two reads by `refresh`, in milliseconds. Without a cache, 200 endpoints that share a
 * file would read it 600 times per second.
 */
const CACHE_MS = 1000;
/** Maximum size of a file, in bytes. A larger file cannot contain just a token or password. */
const MAX_BYTES = 65_536;

/**
 * A file that contains a secret in a single line. The file can be reread, because tokens may be rotated
 * during a run. If rereading fails, for example while the file is being replaced, the previous secret is
 * kept.
 */
export class SecretFile {
  readonly path: string;
  readonly #label: string;
  /** False for pipes, such as a shell's `<(...)`. They are not reread. */
  readonly #isRegularFile: boolean;
  readonly #check: (line: string) => string | undefined;
  #line: string;
  #lastReadMs: number;

  /**
   * Reads the file. `label` is the purpose of the file in messages; `check` returns the problem of an invalid
   * line, or undefined. Throws `CredentialFileError` if the file cannot be read or does not contain exactly
   * one valid line.
   */
  constructor(path: string, label: string, check: (line: string) => string | undefined = () => undefined) {
    this.path = path;
    this.#label = label;
    this.#check = check;
    this.#line = this.#parse(readCredentialFile(label, path));
    this.#isRegularFile = statSync(path).isFile();
    this.#lastReadMs = performance.now();
  }

  /** The current secret: the line without surrounding whitespace. */
  get line(): string {
    return this.#line;
  }

  /** Rereads the file unless it was read within the last second. */
  async refresh(): Promise<void> {
    if (performance.now() - this.#lastReadMs >= CACHE_MS) await this.reread();
  }

  /** Rereads the file immediately. Returns whether the secret has changed. */
  async reread(): Promise<boolean> {
    if (!this.#isRegularFile) return false;
    this.#lastReadMs = performance.now();
    const previousLine = this.#line;
    try {
      this.#line = this.#parse(await readFile(this.path, 'utf8'));
    } catch {
      // The file may be in the middle of a replacement. The previous secret is kept, as it may still be valid.
    }
    return this.#line !== previousLine;
  }

  #parse(text: string): string {
    const bytes = Buffer.byteLength(text);
    if (bytes > MAX_BYTES)
      throw this.#createError(`contains ${bytes} bytes; expected one line of at most ${MAX_BYTES} bytes`);
    const line = text.replace(/^\uFEFF/, '').trim();
    if (line === '') throw this.#createError('the file is empty; expected one line');
    if (/[\r\n]/.test(line))
      throw this.#createError(`contains ${line.split(/\r?\n/).length} lines; expected one line`);
    // HTTP does not allow control characters in a header. The message must not quote the secret.
    if (/[^\t\x20-\x7e\x80-\uffff]/.test(line))
      throw this.#createError('contains control characters; expected one line of text');
    const problem = this.#check(line);
    if (problem !== undefined) throw this.#createError(problem);
    return line;
  }

  #createError(problem: string): CredentialFileError {
    return new CredentialFileError(this.#label, this.path, problem);
  }
}
