import type { CatalogSegment } from '../src/ports/catalog.ts';
import type { ItemVersion, Resource } from '../src/ports/item.ts';

/** A message with nothing special about it. */
export function anItem(key: string, changes: Partial<ItemVersion> = {}): ItemVersion {
  return {
    key,
    kind: 'message',
    parentKey: null,
    name: key,
    sizeBytes: 10,
    contentTag: 'tag',
    contents: [],
    properties: {},
    ...changes,
  };
}

/** A segment that is a restore point and changes nothing. */
export function aSegment(resourceId: string, sequence: number, changes: Partial<CatalogSegment> = {}): CatalogSegment {
  return {
    resourceId,
    sequence,
    hash: `hash-${sequence}`,
    runId: `00000000-0000-7000-8000-${String(sequence).padStart(12, '0')}`,
    committedAt: new Date(Date.UTC(2026, 0, sequence)).toISOString(),
    point: true,
    put: [],
    removed: [],
    newBytes: 0,
    storedBytes: 0,
    cursor: '{}',
    ...changes,
  };
}

/** A mailbox resource. */
export function aMailbox(graphId: string, changes: Partial<Resource> = {}): Resource {
  return { id: '0190aaaa-0000-7000-8000-000000000001', kind: 'mailbox', graphId, name: graphId, ...changes };
}
