import { resolve } from 'node:path';
import { env } from 'node:process';

/** Folder of the shared test data; the environment variable SERVELENS_SHARED overrides the default. */
export const SHARED_FOLDER: string = env.SERVELENS_SHARED ?? resolve(import.meta.dirname, '../../../shared');
