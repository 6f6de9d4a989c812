import { readerMain } from './main.ts';

process.exitCode = await readerMain(process.argv.slice(2), process);
