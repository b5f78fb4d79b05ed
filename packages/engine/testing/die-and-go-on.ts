import { onCrashPoint } from '@holdfast/foundation/crash-point';
import { expect } from 'vitest';
import type { Resource } from '../src/ports/item.ts';
import type { RestoreLine, RestoreRequest } from '../src/restore/request.ts';
import { createMemoryReport } from './memory-report.ts';
import type { Rig } from './rig.ts';

/** Ends every worker of this process when one passes `name` for the nth time, as a process that dies there. */
export function dieAt(name: string, nth: number): () => boolean {
  let passed = 0;
  let isDead = false;
  onCrashPoint((point) => {
    if (point === name) passed += 1;
    isDead ||= passed === nth;
    if (isDead) throw new Error(`died at ${name}`);
  });
  return () => isDead;
}

interface DyingRestore extends Pick<RestoreRequest, 'collisions' | 'options'> {
  readonly source: Resource;
  /** Another resource than the source. */
  readonly target?: Resource;
  readonly folder?: string;
}

interface Ended {
  readonly lines: readonly Pick<RestoreLine, 'key' | 'outcome' | 'targetId'>[];
  readonly counts: Readonly<Record<string, number>>;
}

/** A restore that dies at a point and is taken up by another worker of the same run. */
export async function dieAndGoOn(
  rig: Rig,
  { source, target: resource = source, folder, ...rest }: DyingRestore,
  [point, nth]: readonly [string, number],
): Promise<Ended> {
  const target = { resource, ...(folder === undefined ? {} : { folder }) };
  const request = { source, selection: 'all' as const, target, ...rest };
  const report = createMemoryReport();
  const hasDied = dieAt(point, nth);
  await expect(rig.restore(request, report)).rejects.toThrow(`died at ${point}`);
  expect(hasDied()).toBe(true);
  onCrashPoint(undefined);
  const { result, lines } = await rig.restore({ ...request, earlier: report.earlier() }, report);
  expect(result.status).toBe('successful');
  expect([...report.begun]).toEqual([]);
  return { lines, counts: result.counts };
}

/** Each line once, and counts that are those of the lines. */
export function requireOnce({ lines, counts }: Ended): void {
  expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length);
  const told: Record<string, number> = {};
  for (const { outcome } of lines) told[outcome] = (told[outcome] ?? 0) + 1;
  expect(Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))).toEqual(told);
}
