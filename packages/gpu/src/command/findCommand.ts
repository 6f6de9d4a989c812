import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Returns the path of a command in the folders of `PATH`; undefined if no folder has it. */
export function findCommand(name: string, path: string = process.env.PATH ?? ''): string | undefined {
  const folders = path.split(delimiter).filter(folder => folder !== '');
  return folders.map(folder => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
