import { sha256Hex } from '@holdfast/foundation/bytes';
import { collect } from '@holdfast/foundation/streams';
import { htmlText } from '../src/shared/html-text.ts';
import { hostedContentIds } from '../src/workloads/teams/post.ts';
import { answered, type Answered, type ToldAs, type Values } from './answered.ts';
import type { Rig } from './rig.ts';

const LIMIT = 16 * 1024 * 1024;

/** A message as it is answered, with its text and the pictures in it. */
export interface AnsweredPost {
  readonly says: Values;
  readonly words: string;
}

function wordsOf(html: string): string {
  return htmlText(html).replaceAll(/\s+/gu, ' ').trim();
}

interface Message extends Values {
  readonly id: string;
}

/** A message without its replies, with the hashes of its pictures. */
async function answeredMessage(
  { body, hostedContents: _hosted, replies: _replies, ...says }: Message,
  hosted: (id: string) => { readonly bytes: AsyncIterable<Uint8Array> },
): Promise<AnsweredPost> {
  const { content = '', contentType } = (body ?? {}) as { readonly content?: string; readonly contentType?: string };
  const pictures: string[] = [];
  for (const id of hostedContentIds(content)) pictures.push(sha256Hex(await collect(hosted(id).bytes, LIMIT)));
  const words = contentType === 'html' ? wordsOf(content) : content.replaceAll(/\s+/gu, ' ').trim();
  return { says: { ...says, hostedContents: pictures }, words };
}

/** Everything that Graph answers for the messages of a chat, by id. */
export async function answeredChat(rig: Rig, chatId: string): Promise<ReadonlyMap<string, AnsweredPost>> {
  const { chats } = rig.graph;
  const found = new Map<string, AnsweredPost>();
  for await (const message of chats.messages({ chatId })) {
    const messageId = message.id;
    found.set(messageId, await answeredMessage({ ...message }, (id) => chats.hostedContent({ chatId, messageId }, id)));
  }
  return found;
}

/** Everything that Graph answers for the posts and replies of a team, by channel and id: `General/1700000000000`. */
export async function answeredPosts(rig: Rig, teamId: string): Promise<ReadonlyMap<string, AnsweredPost>> {
  const { teams } = rig.graph;
  const found = new Map<string, AnsweredPost>();
  for await (const { id: channelId, displayName } of teams.channels({ teamId })) {
    const add = async (message: Message, root?: string): Promise<void> => {
      const ref = { teamId, channelId, messageId: root ?? message.id, ...(root === undefined ? {} : { replyId: message.id }) };
      found.set(`${displayName ?? ''}/${message.id}`, await answeredMessage(message, (id) => teams.hostedContent(ref, id)));
    };
    for await (const message of teams.messages({ teamId, channelId })) {
      await add({ ...message });
      for (const reply of message.replies ?? []) await add({ ...reply, id: reply.id ?? '' }, message.id);
    }
  }
  return found;
}

/** A message in every property. What a copy says beside the words of its original is a property of its own. */
export function answeredPost({ says, words }: AnsweredPost, original: AnsweredPost = { says, words }): Answered {
  const at = words.indexOf(original.words);
  const parts = at < 0 ? { body: words } : { body: original.words, added: words.slice(0, at) + words.slice(at + original.words.length) };
  return answered({ ...says, ...parts });
}

export const POST_TOLD_AS: ToldAs = {
  added: ['reactions', 'attachments', 'cards', 'from', 'body'],
  attachments: ['cards'],
};
