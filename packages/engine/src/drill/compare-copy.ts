import { sha256Hex } from '@holdfast/foundation/bytes';
import { collect } from '@holdfast/foundation/streams';
import { isGraphError, type GraphClient } from '@holdfast/m365';
import type { Vault } from '@holdfast/vault';
import type { MimeParser } from '../mime/mime-parser.ts';
import type { ParsedMail } from '../mime/parsed-mail.ts';
import type { ItemVersion, Resource } from '../ports/item.ts';
import { htmlText } from '../shared/html-text.ts';
import type { RestoreLine } from '../restore/request.ts';
import { contentOf } from '../restore/restorer.ts';
import { channelEnding } from '../restore/teams/channel-names.ts';
import { driveIdOf } from '../workloads/drives/drive-item.ts';
import { createPostComparison, type LineOf } from './compare-post.ts';
import { sha256Of } from './sha256-of.ts';

/** The largest message that is taken apart to be compared. */
const MESSAGE_LIMIT = 256 * 1024 * 1024;

/** What a reader sees of a message: the service writes the HTML anew, so that its bytes say nothing. */
function wordsOf({ html, text }: ParsedMail): string {
  const words = html === undefined ? (text ?? '') : htmlText(html);
  return words.replaceAll(/\s+/gu, ' ').trim();
}

/** Attachments by content. Attached messages become items of the service, which writes them anew. */
function attachmentsOf(mail: ParsedMail): string {
  const files = mail.attachments.filter((part) => part.mediaType !== 'message/rfc822');
  return files
    .map((part) => sha256Hex(part.bytes))
    .toSorted()
    .join(' ');
}

/** The libraries that the channels of a drill have their files in. */
async function drivesOfCopies({ teams }: GraphClient, teamId: string, folder: string): Promise<readonly string[]> {
  const ending = channelEnding(folder);
  const drives = new Set<string>();
  for await (const { id: channelId, displayName } of teams.channels({ teamId })) {
    if (!(displayName ?? '').endsWith(ending)) continue;
    const { parentReference } = await teams.filesFolder({ teamId, channelId });
    if (typeof parentReference?.driveId === 'string') drives.add(parentReference.driveId);
  }
  return [...drives];
}

/** Reads what a drill has put back and compares it with the vault; answers the parts that are not equal. */
export function createCopyComparison({
  vault,
  graph,
  parser,
  target,
  folder,
}: {
  readonly vault: Vault;
  readonly graph: GraphClient;
  readonly parser: MimeParser;
  readonly target: Resource;
  /** What all copies of the drill lie under. */
  readonly folder: string;
}) {
  const post = createPostComparison({ graph, teamId: target.graphId, folder });

  let drives: Promise<readonly string[]> | undefined;

  async function file(item: ItemVersion, itemId: string): Promise<readonly string[]> {
    drives ??= target.kind === 'team' ? drivesOfCopies(graph, target.graphId, folder) : driveIdOf(graph, target).then((id) => [id]);
    for (const driveId of await drives) {
      try {
        const live = await sha256Of(graph.drives.content({ driveId, itemId }).bytes);
        return live === contentOf(item, 'file')?.ref.sha256 ? [] : ['content'];
      } catch (error) {
        if (!isGraphError(error, 'graph.item-gone')) throw error;
      }
    }
    return ['content'];
  }

  async function message(item: ItemVersion, messageId: string): Promise<readonly string[]> {
    const mime = contentOf(item, 'mime');
    if (!mime) return ['content'];
    const { bytes } = graph.exchange.mail.mime({ userId: target.graphId, messageId });
    const copy = await parser.parse(await collect(bytes, MESSAGE_LIMIT));
    const stored = await parser.parse(await vault.reader().readAll(mime.ref, MESSAGE_LIMIT));
    const isSame = wordsOf(copy) === wordsOf(stored) && attachmentsOf(copy) === attachmentsOf(stored);
    return [...(copy.subject === stored.subject ? [] : ['subject']), ...(isSame ? [] : ['content'])];
  }

  return async (item: ItemVersion, line: RestoreLine, lineOf: LineOf): Promise<readonly string[]> => {
    const { targetId = '' } = line;
    if (item.kind === 'file' && target.kind !== 'site') return file(item, targetId);
    if (item.kind === 'post' || item.kind === 'reply') return post(item, line, lineOf);
    return item.kind === 'message' ? message(item, targetId) : [];
  };
}
