// Runs before each test file.
import { afterAll } from 'vitest';
import { killLeftProcesses } from './servelens.ts';

afterAll(killLeftProcesses);
