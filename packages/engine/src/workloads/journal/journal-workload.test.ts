import { systemClock } from '@holdfast/foundation/clock';
import { silentLogger } from '@holdfast/foundation/logger';
import { expect, test } from 'vitest';
import { aSegment, anItem } from '../../../testing/builders.ts';
import { createMemoryCatalog } from '../../../testing/memory-catalog.ts';
import { createKnownItems } from '../../pipeline/known-items.ts';
import { createMeter } from '../../pipeline/meter.ts';
import type { Step } from '../../pipeline/step.ts';
import { silentProgress } from '../../ports/progress.ts';
import { journalWorkload, type JournaledMessage } from './journal-workload.ts';

const resource = { id: '0190bbbb-0000-7000-8000-000000000003', kind: 'archive', graphId: 'anna', name: 'Anna' } as const;

const message = (key: string): JournaledMessage => ({
  key,
  content: { role: 'mime', ref: { sha256: key, sizeBytes: 1, depth: 0, pieces: [] } },
  subject: 'Journaled',
  receivedAt: '2026-11-02T10:00:00.000Z',
  properties: {},
  reportKey: `report of ${key}`,
  receiverId: 'receiver',
});

test('A25: a journaled message that was erased from the archive stays erased and is counted', async () => {
  const catalog = createMemoryCatalog();
  await catalog.apply(aSegment(resource.id, 1, { put: [anItem('erased')] }));
  await catalog.apply(aSegment(resource.id, 2, { erased: { keys: ['erased'], why: {} } }));
  const context = {
    resource,
    selections: [{}] as const,
    signal: new AbortController().signal,
    clock: systemClock,
    logger: silentLogger,
    known: createKnownItems(catalog, resource.id),
    meter: createMeter(silentProgress, systemClock),
    cursor: () => undefined,
    scopes: () => [],
    excluded: new Map(),
    unread: new Map(),
  };
  const steps: Step[] = [];
  for await (const step of journalWorkload([message('erased'), message('new')]).enumerate(context)) steps.push(step);
  expect(steps.map((step) => (step.step === 'put' ? step.draft.key : step.step))).toEqual(['erasedBefore', 'new']);
});
