import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where each test file writes how many answers of the simulator it has seen. */
    checkedAnswersFile: string;
  }
}

interface Line {
  readonly checked: number;
  readonly invalid: number;
}

/** Adds up over all files of a project how many answers were held against the metadata, and says so at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-checked-answers-'));
  const file = join(folder, 'answers.ndjson');
  await writeFile(file, '');
  project.provide('checkedAnswersFile', file);
  return async () => {
    const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
    const counts = lines.map((line) => JSON.parse(line) as Line);
    await rm(folder, { recursive: true, force: true });
    if (counts.length === 0) return;
    const sum = (value: (count: Line) => number): number => counts.reduce((total, count) => total + value(count), 0);
    const seen = `${sum((count) => count.checked)} answers of ${counts.length} test files checked against the metadata`;
    process.stdout.write(`simulator (${project.name}): ${seen}, ${sum((count) => count.invalid)} invalid\n`);
  };
}
