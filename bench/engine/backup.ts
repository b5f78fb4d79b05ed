import { forEachConcurrent, mapConcurrent } from '@holdfast/foundation/concurrency';
import type { GraphClient } from '@holdfast/m365';
import { clientOf, mailboxOf, membersOf, openWorkshop, READS_AT_A_TIME, startService } from './ground.ts';
import { measure, round, type Done } from './measure.ts';

const MAILBOXES_AT_A_TIME = 4;

/** Lists every folder and reads every message, and keeps nothing. */
async function download(graph: GraphClient, userId: string): Promise<Done> {
  const { mail } = graph.exchange;
  const total = { items: 0, bytes: 0 };
  const read = async (entry: { readonly id: string }): Promise<number> => {
    let size = 0;
    for await (const part of mail.mime({ userId, messageId: entry.id }).bytes) size += part.byteLength;
    return size;
  };
  for await (const step of mail.folderDelta({ userId })) {
    if (step.kind === 'reset') continue;
    for (const folder of step.entries) {
      for await (const page of mail.messageDelta({ userId, folderId: folder.id })) {
        if (page.kind === 'reset') continue;
        for await (const size of mapConcurrent(page.entries, READS_AT_A_TIME, read)) {
          total.items += 1;
          total.bytes += size;
        }
      }
    }
  }
  return total;
}

async function overAll<T>(list: readonly T[], one: (entry: T) => Promise<Done>): Promise<Done> {
  const total = { items: 0, bytes: 0 };
  await forEachConcurrent([...list], MAILBOXES_AT_A_TIME, async (entry) => {
    const { items, bytes } = await one(entry);
    total.items += items;
    total.bytes += bytes;
  });
  return total;
}

/** What a downloader of these mailboxes reads that keeps nothing. */
export const downloadAll = (graph: GraphClient, users: readonly string[]): Promise<Done> =>
  overAll(users, (userId) => download(graph, userId));

/** A backup of whole mailboxes beside a downloader with the same client that throws the bytes away; limits off. */
export async function benchBackup(mailboxes: number, messages: number) {
  const { service, stop } = await startService({ mailboxes, messages, limits: 'off' });
  const graph = clientOf(service);
  const workshop = await openWorkshop(graph);
  try {
    const users = await membersOf(graph, mailboxes);
    await download(graph, users[0] ?? '');
    const bare = await measure('bare downloader', graph, () => downloadAll(graph, users));
    const first = await measure('first backup', graph, () =>
      overAll(users.map(mailboxOf), async (resource) => {
        const { counts, bytesRead } = await workshop.backUp(resource);
        return { items: counts.added, bytes: bytesRead };
      }),
    );
    return {
      mailboxes,
      messages,
      rows: [bare, first],
      share: round(first.bytes / first.seconds / (bare.bytes / bare.seconds)),
      peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1024),
    };
  } finally {
    await workshop.close();
    await graph.close();
    stop();
  }
}
