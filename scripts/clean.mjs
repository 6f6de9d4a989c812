// Removes the built files of the package in whose folder it runs: what a deleted source left behind must not be published.
import { rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
