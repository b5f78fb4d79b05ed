import { forEachConcurrent } from '@holdfast/foundation/concurrency';
import { readdir } from 'node:fs/promises';
import { clientOf, forgetRequests, mailboxOf, membersOf, openWorkshop, requestsBySort, startService, type Workshop } from './ground.ts';
import { measure } from './measure.ts';

const MAILBOXES_AT_A_TIME = 4;

async function foldersOf(workshop: Workshop, resourceId: string): Promise<number> {
  let count = 0;
  for await (const item of workshop.catalog.items(resourceId, undefined, { kinds: ['mailFolder'] })) count += item ? 1 : 0;
  return count;
}

/** A run over mailboxes in which nothing has changed: what it asks for, and what it writes. */
export async function benchUnchanged(mailboxes: number, messages: number) {
  const { service, stop } = await startService({ mailboxes, messages, limits: 'off' });
  const graph = clientOf(service);
  const workshop = await openWorkshop(graph);
  try {
    const resources = (await membersOf(graph, mailboxes)).map(mailboxOf);
    const counted = { segments: 0, folders: 0 };
    const backUpAll = async (): Promise<{ items: number; bytes: number }> => {
      const total = { items: 0, bytes: 0 };
      await forEachConcurrent(resources, MAILBOXES_AT_A_TIME, async (resource) => {
        const { counts, bytesRead, segments } = await workshop.backUp(resource);
        counted.segments += segments;
        total.items += counts.added + counts.changed + counts.removed;
        total.bytes += bytesRead;
      });
      return total;
    };
    const first = await measure('first backup', graph, backUpAll);
    const files = async (): Promise<number> => (await readdir(workshop.folder, { recursive: true })).length;
    const filesBefore = await files();
    counted.segments = 0;
    await forgetRequests(service);
    const again = await measure('run without changes', graph, backUpAll);
    const bySort = await requestsBySort(service);
    for (const { id } of resources) counted.folders += await foldersOf(workshop, id);
    return {
      mailboxes,
      messages,
      rows: [first, again],
      folders: counted.folders,
      bySort,
      segmentsWritten: counted.segments,
      filesWritten: (await files()) - filesBefore,
    };
  } finally {
    await workshop.close();
    await graph.close();
    stop();
  }
}
