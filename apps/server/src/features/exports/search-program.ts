import { readFile } from 'node:fs/promises';

const program = new URL('./search.mjs', import.meta.url);
let known: Promise<string> | undefined;

/** The program that searches the index of an export on a machine without Holdfast. */
export function searchProgram(): Promise<string> {
  return (known ??= readFile(program, 'utf8'));
}
