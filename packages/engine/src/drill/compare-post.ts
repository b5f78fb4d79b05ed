import { isGraphError, type GraphClient } from '@holdfast/m365';
import type { ItemVersion, Json } from '../ports/item.ts';
import { listOf } from '../pipeline/list-of.ts';
import { textOf } from '../pipeline/text.ts';
import { htmlText } from '../shared/html-text.ts';
import type { RestoreLine } from '../restore/request.ts';
import { channelEnding } from '../restore/teams/channel-names.ts';
import { readPeople, type People } from '../restore/teams/people.ts';
import { isoMs } from '../restore/teams/thread.ts';
import { hostedContentIds } from '../workloads/teams/post.ts';
import { sha256Of } from './sha256-of.ts';

type Said = Awaited<ReturnType<GraphClient['teams']['message']>>;

/** A message that is in a channel of the drill. */
interface Copy {
  readonly channelId: string;
  /** The message that this one answers. */
  readonly rootId: string | undefined;
  readonly message: Said;
}

interface Scratch {
  readonly graph: GraphClient;
  readonly teamId: string;
  readonly folder: string;
}

/** What was read once, for all of a drill. */
interface Read extends Scratch {
  readonly people: People;
  readonly byId: ReadonlyMap<string, readonly Copy[]>;
}

/** What a restore told of an item. */
export type LineOf = (key: string) => RestoreLine | undefined;

const plain = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

function words({ content, contentType }: { readonly content?: string | null; readonly contentType?: string | null } = {}): string {
  return contentType === 'html' ? htmlText(content ?? '') : (content ?? '');
}

interface Somebody {
  readonly id?: string | null;
  readonly displayName?: string | null;
}

function authorOf(from: unknown): Somebody {
  const { user, application } = (from ?? {}) as { readonly user?: Somebody | null; readonly application?: Somebody | null };
  return user ?? application ?? {};
}

function reactionsOf(reactions: Json | undefined, people: People): readonly string[] {
  const reacted = listOf(reactions).map(({ reactionType, user }) => {
    const { id, displayName } = authorOf(user);
    return `${textOf(reactionType)} ${displayName ?? people.nameOf(id ?? '') ?? ''}`.trim();
  });
  return reacted.length === 0 ? [] : [`[${reacted.join(', ')}]`];
}

/**
 * What a reader must find in a copy, and nothing else: who said it when they have left, the words with the names of whom
 * they mention, the names of files, and who reacted how.
 */
function expectedWords({ properties }: ItemVersion, line: RestoreLine, people: People): string {
  const author = line.differences.includes('from') ? [authorOf(properties['from']).displayName ?? '?'] : [];
  const files = listOf(properties['attachments']).map(({ name, contentType }) => textOf(name, textOf(contentType, 'attachment')));
  const reactions = reactionsOf(properties['reactions'], people);
  return plain([...author, words(properties['body'] as object), ...files, ...reactions].join(' '));
}

async function* copiesIn({ graph, teamId, folder }: Scratch): AsyncGenerator<Copy, void, undefined> {
  const ending = channelEnding(folder);
  for await (const { id: channelId, displayName } of graph.teams.channels({ teamId })) {
    if (!(displayName ?? '').endsWith(ending)) continue;
    for await (const message of graph.teams.messages({ teamId, channelId })) {
      yield { channelId, rootId: undefined, message };
      for (const reply of message.replies ?? []) yield { channelId, rootId: message.id, message: reply as Said };
    }
  }
}

/** The hashes of the pictures that a copy shows. */
async function picturesOf({ graph, teamId }: Scratch, { channelId, rootId, message }: Copy): Promise<readonly string[]> {
  const ref = { teamId, channelId, ...(rootId === undefined ? { messageId: message.id } : { messageId: rootId, replyId: message.id }) };
  const hashes: string[] = [];
  for (const id of hostedContentIds(message.body?.content ?? '')) {
    try {
      hashes.push(await sha256Of(graph.teams.hostedContent(ref, id).bytes));
    } catch (error) {
      // One that the copy names and the service does not have is one that did not come back.
      if (!isGraphError(error, 'graph.item-gone', 'graph.resource-gone')) throw error;
    }
  }
  return hashes.toSorted();
}

async function differencesOf(scratch: Read, item: ItemVersion, line: RestoreLine, copy: Copy): Promise<readonly string[]> {
  const { from, subject, importance } = item.properties;
  const { message } = copy;
  const isImposed = (name: string): boolean => line.differences.includes(name);
  const pictures = item.contents.filter(({ role }) => role === 'hosted').map(({ ref }) => ref.sha256);
  const hasPictures = isImposed('hostedContents') || String(await picturesOf(scratch, copy)) === String(pictures.toSorted());
  const checks: Readonly<Record<string, boolean>> = {
    from: isImposed('from') || authorOf(message.from).id === authorOf(from).id,
    createdDateTime: isImposed('createdDateTime') || isoMs(message.createdDateTime) === isoMs(item.createdAt),
    subject: textOf(message.subject) === textOf(subject),
    importance: textOf(message.importance, 'normal') === textOf(importance, 'normal'),
    content: plain(htmlText(message.body?.content ?? '')) === expectedWords(item, line, scratch.people),
    hostedContents: hasPictures,
  };
  return Object.entries(checks).flatMap(([name, isSame]) => (isSame ? [] : [name]));
}

/**
 * Compares what people said in a team with what a drill has put into channels of its own: words, mentions, reactions,
 * author, time, subject, importance, pictures byte by byte, and which message an answer answers. What the service imposes is in the line of the restore.
 */
export function createPostComparison(
  scratch: Scratch,
): (item: ItemVersion, line: RestoreLine, lineOf: LineOf) => Promise<readonly string[]> {
  let reading: Promise<Read> | undefined;
  const read = async (): Promise<Read> => ({
    ...scratch,
    people: await readPeople(scratch.graph),
    byId: Map.groupBy(await Array.fromAsync(copiesIn(scratch)), ({ message }) => message.id),
  });
  return async (item, line, lineOf) => {
    reading ??= read();
    const rootId = item.kind === 'reply' ? lineOf(item.parentKey ?? '')?.targetId : undefined;
    // Two channels may have messages of one moment: then one of them has to be the copy.
    const there = await reading;
    const copies = (there.byId.get(line.targetId ?? '') ?? []).filter((copy) => copy.rootId === rootId);
    const found: (readonly string[])[] = [];
    for (const copy of copies) found.push(await differencesOf(there, item, line, copy));
    return found.toSorted((a, b) => a.length - b.length)[0] ?? ['content'];
  };
}
