import type { ConversationGap, gapsAfter, gapsBefore } from '@holdfast/contract/content';
import { PAGE_END, pageMessage, pageNote, pageStart } from '@holdfast/engine';
import type { ConversationFrame, readConversation } from '../content/index.ts';

type ReadMessages = Awaited<ReturnType<typeof readConversation>>;

/** The name of a transcript beside the file of its hit. */
export const conversationPath = (path: string): string => `${path.replace(/\.json$/u, '')} - conversation.html`;

const TITLE = 'Conversation';
const utc = (instant: string): string => `${instant.slice(0, 16).replace('T', ' ')} UTC`;

type Say = (frame: ConversationFrame) => string;

/** What may be missing before the first message, and after the last one. */
const BEFORE: Readonly<Record<(typeof gapsBefore)[number], Say>> = {
  moreBefore: () => 'Not complete: there are earlier messages in this window that this transcript leaves out because it is too long.',
  casePeriodBefore: () => 'Not complete: the period of the case begins here. Earlier messages are not included.',
  beforeRestorePoints: ({ oldestPointAt }) =>
    `Not complete: messages that were deleted in Microsoft 365 before the oldest restore point (${utc(oldestPointAt)}) are not kept.`,
  noFirstPost: () => 'Not complete: the post that began this thread is not kept.',
};
const AFTER: Readonly<Record<(typeof gapsAfter)[number], Say>> = {
  moreAfter: () => 'Not complete: there are later messages in this window that this transcript leaves out because it is too long.',
  casePeriodAfter: () => 'Not complete: the period of the case ends here. Later messages are not included.',
  afterRestorePoints: ({ newestPointAt }) =>
    `Not complete: messages after the newest restore point (${utc(newestPointAt)}) were not kept when this was exported.`,
};

const LIMITED = 'Messages that the right of whoever exported this does not open are left out, wherever they were said.';
const BETWEEN = 'Messages that were deleted in Microsoft 365 before any backup read them are not kept, wherever they were said.';

const said = (frame: ConversationFrame, words: Readonly<Partial<Record<ConversationGap, Say>>>): string[] =>
  frame.gaps.flatMap((gap) => words[gap]?.(frame) ?? []);

function windowOf({ kind, from, to }: ConversationFrame): { readonly lead: string; readonly begins: string; readonly ends: string } {
  if (kind === 'thread' || from === null || to === null) {
    const lead = 'The whole thread of the message that is marked as the hit. Times are in UTC.';
    return { lead, begins: 'The thread begins here.', ends: 'The thread ends here.' };
  }
  const lead = 'The message that is marked as the hit, with what was said up to 12 hours before and after it. Times are in UTC.';
  return { lead, begins: `The window begins here: ${utc(from)}.`, ends: `The window ends here: ${utc(to)}.` };
}

/** A readable transcript of a hit and what was said around it, the same whenever it is written. */
export function* conversationPage(frame: ConversationFrame, messages: ReadMessages): Generator<Uint8Array, void, undefined> {
  const { lead, begins, ends } = windowOf(frame);
  const notes = [lead, ...(frame.gaps.includes('limitedRight') ? [LIMITED] : []), BETWEEN, begins, ...said(frame, BEFORE)];
  yield Buffer.from(`${pageStart(`${TITLE}: ${frame.title}`)}${notes.map(pageNote).join('')}`);
  for (const { framed, item } of messages) yield Buffer.from(pageMessage(item, framed));
  yield Buffer.from(`${[...said(frame, AFTER), ends].map(pageNote).join('')}${PAGE_END}`);
}
