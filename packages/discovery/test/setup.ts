// Runs before each test file.
import { afterAll, beforeAll } from 'vitest';
import { createFolder, removeFolder } from './configFiles.ts';

beforeAll(createFolder);
afterAll(removeFolder);
