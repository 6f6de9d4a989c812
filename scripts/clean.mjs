// Deletes the build output of the package in the current folder, so that files of deleted sources are not
// published.
import { rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
