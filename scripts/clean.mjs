// Deletes the build output of the package in the current folder, so that the output of deleted source files is not
// published.
import { rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
