import { isGraphError, type Body, type Known } from '@holdfast/m365';
import { crashPoint } from '@holdfast/foundation/crash-point';
import type { ItemVersion } from '../../ports/item.ts';
import type { ItemOutcome, RestoreContext } from '../restorer.ts';
import { importedMessage, type HostedPart } from './imported-message.ts';
import { around, isoMs, momentsFrom, placeOf, type Thread, type Timed } from './thread.ts';
import type { People } from './people.ts';

const HOSTED_LIMIT = 4 * 1024 * 1024;

/** Where messages are imported to: a channel, a thread of it, or a chat. */
export interface ImportPlace {
  post(body: Body, recover: () => Promise<Known<object> | undefined>): Promise<Known<object>>;
  /** What is there. */
  readonly thread: Thread;
}

/** Where a conversation stands before messages are imported into it. */
export interface Begun {
  /** When it begins, as the service shows it. */
  readonly createdAt: string | undefined | null;
  /** A migration has given it that beginning; a new one falls back to the real one unless it is told again. */
  readonly isMoved: boolean;
}

/**
 * When a conversation has to have begun so that its first message is later. Undefined when its real beginning is old
 * enough: a later one is refused, and an earlier one would only falsify it.
 */
export function beginningFor(first: string | undefined, { createdAt, isMoved }: Begun): string | undefined {
  const firstMs = Date.parse(first ?? '');
  const isOldEnough = Number.isNaN(firstMs) || Date.parse(createdAt ?? '') < firstMs;
  if (!isOldEnough) return new Date(firstMs - 1).toISOString();
  return isMoved ? (createdAt ?? undefined) : undefined;
}

async function hostedParts(context: RestoreContext, item: ItemVersion): Promise<readonly HostedPart[]> {
  const parts: HostedPart[] = [];
  for (const content of item.contents) {
    if (content.role !== 'hosted' || content.ref.sizeBytes > HOSTED_LIMIT) continue;
    const bytes = await context.reader.readAll(content.ref, HOSTED_LIMIT);
    parts.push({ id: content.label ?? '', mediaType: content.mediaType ?? 'image/png', bytes });
  }
  return parts;
}

/** What never comes back: what the system wrote, and what was deleted. */
export function isImportable(item: ItemVersion): boolean {
  const { messageType, deletedDateTime } = item.properties;
  return (messageType === undefined || messageType === 'message') && (deletedDateTime === undefined || deletedDateTime === null);
}

/** Stands where a deleted message was, so that what was answered to it has a place; its text stays deleted. */
export function placeholderFor(item: ItemVersion): ItemVersion {
  const { deletedDateTime: _deleted, subject: _subject, attachments: _attachments, reactions: _reactions, ...kept } = item.properties;
  const body = { contentType: 'html', content: '<p><em>(deleted)</em></p>' };
  return { ...item, contents: [], properties: { ...kept, messageType: 'message', body, mentions: [] } };
}

/** What becomes of a message that nobody wrote. */
export const SYSTEM_MESSAGE: ItemOutcome = { outcome: 'notPossible', code: 'restore.system-message' };

/** What is there already: put there by a worker that died, or to be left as it is. */
async function doneBefore(
  context: RestoreContext,
  item: ItemVersion,
  there: readonly Timed[],
  people: People,
): Promise<ItemOutcome | undefined> {
  const { beginnings, request } = context;
  const [left] = await beginnings.leftOf(item.key, there);
  if (left) {
    // A message comes in one go: it is whole, and differs as one does that is imported now.
    const { differences } = importedMessage(item, { createdAt: left.at, hosted: await hostedParts(context, item), people });
    const moved = left.at === isoMs(item.createdAt) ? [] : ['createdDateTime'];
    return { outcome: 'restored', targetId: left.id, differences: [...differences, ...moved], bytes: item.sizeBytes };
  }
  const [old] = there;
  return old && request.collisions !== 'keepBoth' ? { outcome: 'skipped', targetId: old.id, code: 'restore.exists' } : undefined;
}

function thereAlready({ request }: RestoreContext, item: ItemVersion, { thread }: ImportPlace, people: People): readonly Timed[] {
  if (request.collisions === 'keepBoth') return around(thread, item);
  const found = placeOf(thread, item, people);
  return found ? [found] : [];
}

/** Imports one message with its author and time; a time that is taken moves on by a millisecond. */
export async function importMessage(context: RestoreContext, item: ItemVersion, place: ImportPlace, people: People): Promise<ItemOutcome> {
  if (!isImportable(item)) return SYSTEM_MESSAGE;
  const at = isoMs(item.createdAt);
  const there = thereAlready(context, item, place, people);
  const done = await doneBefore(context, item, there, people);
  if (done) return done;
  await context.beginnings.begin(item.key, there);
  const hosted = await hostedParts(context, item);
  for (const createdAt of momentsFrom(at)) {
    const moved = createdAt === at ? [] : ['createdDateTime'];
    const { body, differences } = importedMessage(item, { createdAt, hosted, people });
    let isUncertain = false;
    try {
      await crashPoint('restore.before-import');
      // A message that has arrived although its answer was lost is refused when it is sent again: its time is taken.
      const recover = async (): Promise<Known<object> | undefined> => {
        isUncertain = true;
        return undefined;
      };
      const made = await place.post(body, recover);
      return { outcome: 'restored', targetId: made.id, differences: [...differences, ...moved], bytes: item.sizeBytes };
    } catch (error) {
      if (!isGraphError(error, 'graph.name-taken')) throw error;
      if (isUncertain) {
        // The id of an imported message is its time.
        const targetId = String(Date.parse(createdAt));
        return { outcome: 'restored', targetId, differences: [...differences, ...moved], bytes: item.sizeBytes };
      }
    }
  }
  return { outcome: 'failed', code: 'graph.name-taken' };
}
