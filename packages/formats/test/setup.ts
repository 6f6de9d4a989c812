// Runs before each test file.
import { afterAll, beforeAll } from 'vitest';
import { recreateSharedFolders, removeSharedFolders } from './parquet/support/files.ts';

beforeAll(recreateSharedFolders);
afterAll(removeSharedFolders);
