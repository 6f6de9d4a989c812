#!/usr/bin/env node
// Node opens many modules at the same time. With a low limit of open files, it reports that modules do not exist.
const LOADING_ERRORS = ['EMFILE', 'ENFILE', 'ERR_MODULE_NOT_FOUND'];
const MIN_OPEN_FILES = 256;

try {
  await import('../dist/bin.js');
} catch (error) {
  const limit = Number(process.report?.getReport().userLimits?.open_files?.soft);
  if (!LOADING_ERRORS.includes(error.code) || !(limit < MIN_OPEN_FILES)) throw error;
  process.stderr.write(
    `servelens: cannot load the program: the limit of open files is ${limit}, expected at least ${MIN_OPEN_FILES}; raise it with ulimit -n 1024\n`,
  );
  process.exitCode = 1;
}
