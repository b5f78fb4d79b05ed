import type { Body } from '@holdfast/m365';
import type { ItemVersion, Json } from '../../ports/item.ts';

interface Identity {
  readonly id?: string | null;
  readonly displayName?: string | null;
  readonly userIdentityType?: string | null;
}

/** A picture that travels inside an imported message. */
export interface HostedPart {
  readonly id: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface ImportedMessage {
  readonly body: Body;
  /** What the import could not take over as it was. */
  readonly differences: readonly string[];
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function author(item: ItemVersion): Identity | undefined {
  const from = item.properties['from'] as { readonly user?: Identity | null } | undefined;
  return from?.user ?? undefined;
}

function list(value: Json | undefined): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value : [];
}

function reactionLine(item: ItemVersion): string {
  const reactions = list(item.properties['reactions']);
  if (reactions.length === 0) return '';
  const parts = reactions.map((reaction) => {
    const user = (reaction['user'] as { readonly user?: Identity } | undefined)?.user;
    return escape(`${String(reaction['reactionType'] ?? '')} ${user?.displayName ?? ''}`.trim());
  });
  return `<p>[${parts.join(', ')}]</p>`;
}

function attachmentLines(item: ItemVersion): string {
  const links = list(item.properties['attachments']).map((attachment) => {
    const name = escape(String(attachment['name'] ?? attachment['contentType'] ?? 'attachment'));
    const { contentUrl } = attachment;
    return typeof contentUrl === 'string' ? `<a href="${escape(contentUrl)}">${name}</a>` : name;
  });
  return links.length === 0 ? '' : `<p>${links.join('<br>')}</p>`;
}

function hasCards(item: ItemVersion): boolean {
  return list(item.properties['attachments']).some((attachment) => String(attachment['contentType'] ?? '').includes('card'));
}

function withTemporaryIds(html: string, hosted: readonly HostedPart[]): string {
  let out = html.replaceAll(/<attachment id="[^"]*"><\/attachment>/gu, '').replaceAll(/<at id="[^"]*">([^<]*)<\/at>/gu, '<b>$1</b>');
  for (const [index, part] of hosted.entries()) {
    const pattern = new RegExp(`src="[^"]*hostedContents/${RegExp.escape(part.id)}/\\$value[^"]*"`, 'gu');
    out = out.replaceAll(pattern, `src="../hostedContents/${index + 1}/$$value"`);
  }
  return out;
}

/**
 * A message for migration mode: author and time as they were, pictures inside. Reactions, mentions
 * and cards are out of the import's reach and become text; an author who is not in the directory
 * any more becomes a name in the text.
 */
export function importedMessage(
  item: ItemVersion,
  options: {
    readonly createdAt: string;
    readonly isKnownUser: (id: string) => boolean;
    readonly stand: Identity;
    readonly hosted: readonly HostedPart[];
  },
): ImportedMessage {
  const { properties } = item;
  const differences: string[] = [];
  const body = (properties['body'] ?? {}) as { readonly contentType?: string; readonly content?: string };
  const text = body.content ?? '';
  const html = body.contentType === 'html' ? withTemporaryIds(text, options.hosted) : escape(text).replaceAll('\n', '<br>');
  const who = author(item);
  const isKnown = who?.id !== undefined && who.id !== null && options.isKnownUser(who.id);
  const placeholder = isKnown ? '' : `<p><b>${escape(who?.displayName ?? '?')}</b></p>`;
  if (!isKnown) differences.push('from');
  if (list(properties['reactions']).length > 0) differences.push('reactions');
  if (list(properties['mentions']).length > 0) differences.push('mentions');
  if (hasCards(item)) differences.push('cards');
  const user = isKnown ? who : options.stand;
  return {
    differences,
    body: {
      createdDateTime: options.createdAt,
      from: { user: { id: user.id, displayName: user.displayName, userIdentityType: 'aadUser' } },
      body: { contentType: 'html', content: `${placeholder}${html}${attachmentLines(item)}${reactionLine(item)}` },
      ...(typeof properties['subject'] === 'string' ? { subject: properties['subject'] } : {}),
      ...(properties['importance'] === undefined ? {} : { importance: properties['importance'] }),
      ...(options.hosted.length === 0
        ? {}
        : {
            hostedContents: options.hosted.map((part, index) => ({
              '@microsoft.graph.temporaryId': String(index + 1),
              contentBytes: Buffer.from(part.bytes).toString('base64'),
              contentType: part.mediaType,
            })),
          }),
    },
  };
}
