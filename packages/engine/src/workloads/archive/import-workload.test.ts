import { sha256Hex } from '@holdfast/foundation/bytes';
import { systemClock } from '@holdfast/foundation/clock';
import { silentLogger } from '@holdfast/foundation/logger';
import { expect, test } from 'vitest';
import { createMemoryCatalog } from '../../../testing/memory-catalog.ts';
import { comparePlaces, type MailFileEntry } from '../../mail-files/mail-file.ts';
import { createKnownItems } from '../../pipeline/known-items.ts';
import { createMeter } from '../../pipeline/meter.ts';
import type { Step } from '../../pipeline/step.ts';
import { silentProgress } from '../../ports/progress.ts';
import { importWorkload, type ImportCounts } from './import-workload.ts';

const resource = { id: '0190bbbb-0000-7000-8000-000000000002', kind: 'archive', graphId: 'anna', name: 'Anna' } as const;

function entry(at: number): MailFileEntry {
  const found = { place: [0, at], fileName: 'Inbox.mbox', offset: at, folder: 'Inbox' };
  if (at % 7 === 3) return { ...found, kind: 'fault', code: 'import.no-header', bytes: Buffer.from('x') };
  return { ...found, kind: 'mail', bytes: Buffer.from(`Subject: ${at % 50}\n\nBody`) };
}

/** Enumerates from what the cursors say, and stops where `until` cursors of the import have come. */
async function enumerate(entries: readonly MailFileEntry[], cursors: Map<string, string>, until = Infinity) {
  const known = createKnownItems(createMemoryCatalog(), resource.id);
  let counts: ImportCounts | undefined;
  const workload = importWorkload({
    id: 'run',
    async *entries(after) {
      yield* entries.filter(({ place }) => after === undefined || comparePlaces(place, after) > 0);
      await Promise.resolve();
    },
    onFault: () => Promise.resolve(),
    onCounts: (counted) => void (counts = counted),
  });
  const steps: Step[] = [];
  const context = {
    resource,
    selections: [{}] as const,
    signal: new AbortController().signal,
    clock: systemClock,
    logger: silentLogger,
    known,
    meter: createMeter(silentProgress, systemClock),
    cursor: (scope: string) => cursors.get(scope),
    scopes: (prefix: string) => [...cursors.keys()].filter((scope) => scope.startsWith(prefix)),
    excluded: new Map(),
    unread: new Map(),
  };
  let seen = 0;
  for await (const step of workload.enumerate(context)) {
    steps.push(step);
    if (step.step !== 'cursor') continue;
    if (step.value === null) cursors.delete(step.scope);
    else cursors.set(step.scope, step.value);
    if (step.scope === 'import:run') seen += 1;
    if (seen >= until) break;
  }
  return { steps, counts };
}

test('A7: the counts of an import that was interrupted after any commit are those of one that was not', async () => {
  const entries = Array.from({ length: 450 }, (_, at) => entry(at));
  const whole = await enumerate(entries, new Map());
  expect(whole.counts?.seen).toBe(450);
  for (let until = 1; until <= 5; until += 1) {
    const cursors = new Map<string, string>();
    expect((await enumerate(entries, cursors, until)).counts).toBeUndefined();
    const { counts } = await enumerate(entries, cursors);
    const { seen = 0, added = 0, known = 0, failed } = counts ?? {};
    expect([seen, added + known, failed]).toEqual([450, (whole.counts?.added ?? 0) + (whole.counts?.known ?? 0), whole.counts?.failed]);
  }
});

test('an import that has ended is not read again, and the next one drops what is kept of it', async () => {
  const cursors = new Map<string, string>();
  const { counts } = await enumerate([entry(0), entry(1)], cursors);
  const again = await enumerate([entry(0), entry(1)], cursors);
  expect([again.counts, again.steps.filter(({ step }) => step === 'put')]).toEqual([counts, []]);
  const next = new Map([['import:other', cursors.get('import:run') ?? '']]);
  await enumerate([], next);
  expect([...next.keys()]).toEqual(['import:run']);
});

test('a message is named by its bytes, and one that comes twice has one draft with its bytes', async () => {
  const twice = [entry(0), { ...entry(0), place: [0, 1], folder: 'Sent' }];
  const { steps } = await enumerate(twice, new Map());
  const drafts = steps.flatMap((step) => (step.step === 'put' ? [step.draft] : []));
  expect(new Set(drafts.map(({ key }) => key))).toEqual(new Set([sha256Hex(entry(0).bytes)]));
});
