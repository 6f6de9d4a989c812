import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { CredentialFileError, readCredentialFile } from './credentialFile.ts';

/**
 * Minimum time between two reads, so that 200 endpoints sharing a file do not read it 600 times per second.
 */
const CACHE_MS = 1000;
/** Larger files contain neither a token nor a password. */
const MAX_BYTES = 65_536;

/**
 * A one-line file with a secret. It is read again after a second, because tokens may be rotated during a run.
 * If it cannot be read or is empty while it is being written, the last secret stays in force.
 */
export class SecretFile {
  readonly path: string;
  readonly #label: string;
  /** False for pipes such as a shell's `<(...)`, which can be read only once. */
  readonly #isRegularFile: boolean;
  readonly #check: (line: string) => string | undefined;
  #line: string;
  #readMs: number;

  /**
   * Reads the file. `label` names its purpose in messages; `check` returns what is wrong with a line, if
   * anything. Throws `CredentialFileError` if the file cannot be read or does not contain exactly one line.
   */
  constructor(path: string, label: string, check: (line: string) => string | undefined = () => undefined) {
    this.path = path;
    this.#label = label;
    this.#check = check;
    this.#line = this.#parse(readCredentialFile(label, path));
    this.#isRegularFile = statSync(path).isFile();
    this.#readMs = performance.now();
  }

  /** The current secret. */
  get line(): string {
    return this.#line;
  }

  /** Reads the file again unless it was read within the last second. */
  async refresh(): Promise<void> {
    if (performance.now() - this.#readMs >= CACHE_MS) await this.reread();
  }

  /** Reads the file again immediately. Returns whether the secret has changed. */
  async reread(): Promise<boolean> {
    if (!this.#isRegularFile) return false;
    this.#readMs = performance.now();
    const before = this.#line;
    try {
      this.#line = this.#parse(await readFile(this.path, 'utf8'));
    } catch {
      // The file is being replaced. The last secret may still be valid; otherwise the server rejects it.
    }
    return this.#line !== before;
  }

  #parse(text: string): string {
    if (text.length > MAX_BYTES) throw this.#createError(`contains ${text.length} bytes; expected one line`);
    const line = text.replace(/^\uFEFF/, '').trim();
    if (line === '') throw this.#createError('the file is empty; expected one line');
    if (/[\r\n]/.test(line))
      throw this.#createError(`contains ${line.split(/\r?\n/).length} lines; expected one line`);
    // Characters that HTTP forbids in a header. The message must not quote the secret.
    if (/[^\t\x20-\x7e\x80-\uffff]/.test(line))
      throw this.#createError('contains control characters; expected one line of text');
    const wrong = this.#check(line);
    if (wrong !== undefined) throw this.#createError(wrong);
    return line;
  }

  #createError(problem: string): CredentialFileError {
    return new CredentialFileError(this.#label, this.path, problem);
  }
}
