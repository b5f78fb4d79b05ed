import { graphOutcome, isGraphError, type DeltaCursor, type GraphClient } from '@holdfast/m365';
import { adviceFor } from '../../pipeline/failure.ts';
import type { Unread } from '../../pipeline/cursor-state.ts';
import type { EnumerateContext } from '../../pipeline/workload.ts';
import type { Step } from '../../pipeline/step.ts';
import { followDelta, lastOfEach, type FollowedPage } from '../follow-delta.ts';
import { createRemovals, type Removals } from '../removals.ts';
import { createRevisits } from '../revisit.ts';
import { enumerateFolders, messageScope, type SelectedFolder } from './mail-folders.ts';
import { messageDraft, type MessagePlace } from './message.ts';
import type { MessageEntry } from '@holdfast/m365';

const REMOVALS_SCOPE = 'mail:removals';

interface Mailbox extends MessagePlace {
  readonly context: EnumerateContext;
  readonly removals: Removals;
  /** Ids of the folders that are read. */
  readonly selected: ReadonlySet<string>;
}

async function* putPage(mailbox: Mailbox, folder: SelectedFolder, page: FollowedPage<MessageEntry>): AsyncGenerator<Step, void, undefined> {
  const { context, removals } = mailbox;
  const entries = lastOfEach(page.entries);
  const previous = await context.known.load(entries.map((entry) => entry.id));
  for (const entry of entries) {
    const known = previous.get(entry.id);
    if (entry.kind === 'present') {
      removals.found(entry.id);
      const item = entry.item.parentFolderId ? entry.item : { ...entry.item, parentFolderId: folder.id };
      yield { step: 'put', draft: messageDraft(mailbox, item, known), previous: known };
    } else if (known?.parentKey === folder.key) {
      removals.add(entry.id, folder.key);
    } else if (!known && context.unread.has(entry.id)) {
      yield { step: 'resolved', key: entry.id };
    }
  }
  yield* removals.remember();
  yield* page.afterwards;
}

async function hasMessages(context: EnumerateContext, folderId: string): Promise<boolean> {
  for await (const item of context.known.items({ parentKey: folderId, kinds: ['message'] })) return item !== undefined;
  return false;
}

async function* compare(mailbox: Mailbox, folder: SelectedFolder, seen: ReadonlySet<string>): AsyncGenerator<Step, void, undefined> {
  const { context, removals } = mailbox;
  for await (const item of context.known.items({ parentKey: folder.key, kinds: ['message'] })) {
    if (!seen.has(item.key)) removals.add(item.key, folder.key);
  }
  yield* removals.remember();
}

/** One round of a folder's delta, or the whole of it compared with what is known. */
async function* enumerateMessages(mailbox: Mailbox, folder: SelectedFolder): AsyncGenerator<Step, void, undefined> {
  const { context, graph } = mailbox;
  const ref = { userId: context.resource.graphId, folderId: folder.id };
  const open = (cursor: DeltaCursor | undefined) => graph.exchange.mail.messageDelta(ref, cursor);
  const pages = followDelta(context, { scope: messageScope(folder.id), open, hasKnown: () => hasMessages(context, folder.key) });
  let seen = new Set<string>();
  for await (const page of pages) {
    if (page === 'restarted') {
      seen = new Set();
      continue;
    }
    if (page.isComparison) for (const entry of page.entries) seen.add(entry.id);
    if (page.isComparison && page.last) yield* compare(mailbox, folder, seen);
    yield* putPage(mailbox, folder, page);
  }
}

async function* guarded(mailbox: Mailbox, folder: SelectedFolder): AsyncGenerator<Step, void, undefined> {
  try {
    yield* enumerateMessages(mailbox, folder);
  } catch (error) {
    if (isGraphError(error, 'graph.folder-gone')) {
      yield { step: 'cursor', scope: messageScope(folder.id), value: null };
      return;
    }
    const outcome = graphOutcome(error);
    if (outcome !== 'record' && outcome !== 'retry' && outcome !== 'gone') throw error;
    const code = isGraphError(error) ? error.code : 'internal';
    const failure = { key: folder.id, kind: 'mailFolder', parentKey: null, name: folder.name, code, tried: ['delta'] } as const;
    yield { step: 'failed', failure: { ...failure, advice: adviceFor(code) } };
  }
}

/** A message that an earlier run could not read; where nothing is read it is not missed. A folder that could not be listed has been asked again. */
async function* putAgain(mailbox: Mailbox, { key, kind }: Unread): AsyncGenerator<Step, void, undefined> {
  if (kind === 'mailFolder') {
    yield { step: 'resolved', key };
    return;
  }
  const { context, graph } = mailbox;
  try {
    const entry = (await graph.exchange.mail.message({ userId: context.resource.graphId, messageId: key })) as MessageEntry;
    if (entry.parentFolderId && !mailbox.selected.has(entry.parentFolderId)) {
      yield await gone(context, key);
      return;
    }
    const previous = (await context.known.load([entry.id])).get(entry.id);
    yield { step: 'put', draft: messageDraft(mailbox, entry, previous), previous };
  } catch (error) {
    if (graphOutcome(error) !== 'gone') throw error;
    yield await gone(context, key);
  }
}

/**
 * Gone at the second look too. It may have been moved before it went: then the folder that lost it is not the one where
 * the last run knew it, and no delta of that one names it again.
 */
async function gone(context: EnumerateContext, key: string): Promise<Step> {
  const isKnown = (await context.known.load([key])).has(key);
  return isKnown ? { step: 'remove', key } : { step: 'resolved', key };
}

/**
 * The mail of a mailbox: folders, then one delta a folder. What a folder lost is removed only when
 * no other folder has it; folders that were asked before the loss are asked once more.
 */
export async function* enumerateMail(context: EnumerateContext, graph: GraphClient): AsyncGenerator<Step, void, undefined> {
  const removals = createRemovals(context, REMOVALS_SCOPE);
  const revisits = createRevisits(context);
  const { selected, removed, after, rootId } = yield* enumerateFolders(context, graph.exchange.mail);
  const mailbox: Mailbox = {
    context,
    graph,
    userId: context.resource.graphId,
    rootId,
    removals,
    selected: new Set(selected.map(({ id }) => id)),
  };
  for (const key of removed) removals.add(key, null);
  yield* removals.remember();
  yield* after;
  let lastLoss = -1;
  for (const [index, folder] of selected.entries()) {
    const before = removals.waiting.size;
    yield* revisits.noting(guarded(mailbox, folder));
    if (removals.waiting.size > before) lastLoss = index;
  }
  const decided = new Set(removals.waiting.keys());
  if (decided.size > 0) for (const folder of selected.slice(0, Math.max(0, lastLoss))) yield* revisits.noting(guarded(mailbox, folder));
  const undecided = new Set([...removals.waiting.keys()].filter((key) => !decided.has(key)));
  yield* removals.settle(undecided);
  for (const key of removed) yield { step: 'cursor', scope: messageScope(key), value: null };
  yield* revisits.rest(
    ({ kind }) => kind === 'mailFolder' || kind === 'message',
    (unread) => putAgain(mailbox, unread),
  );
}
