import type { Body } from '@holdfast/m365';
import type { ItemVersion } from '../../ports/item.ts';
import { listOf } from '../../pipeline/list-of.ts';
import { textOf } from '../../pipeline/text.ts';
import type { People } from './people.ts';

export interface Identity {
  readonly id?: string | null | undefined;
  readonly displayName?: string | null | undefined;
  readonly userIdentityType?: string | null;
}

/** A picture that travels inside an imported message. */
export interface HostedPart {
  readonly id: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface ImportedMessage {
  readonly body: Body & {
    readonly from: { readonly user: Identity };
    readonly body: { readonly contentType: 'html'; readonly content: string };
  };
  /** What the import could not take over as it was. */
  readonly differences: readonly string[];
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Who wrote a message: somebody, or an app, which no message can be imported for. */
function author(item: ItemVersion): Identity | undefined {
  const from = item.properties['from'] as { readonly user?: Identity | null; readonly application?: Identity | null } | undefined;
  return from?.user ?? from?.application ?? undefined;
}

/** Who reacted how. The service names nobody with a reaction but by id. */
function reactionLine(item: ItemVersion, people: People): string {
  const reactions = listOf(item.properties['reactions']);
  if (reactions.length === 0) return '';
  const parts = reactions.map((reaction) => {
    const user = (reaction['user'] as { readonly user?: Identity } | undefined)?.user;
    const name = user?.displayName ?? people.nameOf(user?.id ?? '') ?? '';
    return escape(`${textOf(reaction['reactionType'])} ${name}`.trim());
  });
  return `<p>[${parts.join(', ')}]</p>`;
}

function attachmentLines(item: ItemVersion): string {
  const links = listOf(item.properties['attachments']).map((attachment) => {
    const name = escape(textOf(attachment['name'], textOf(attachment['contentType'], 'attachment')));
    const { contentUrl } = attachment;
    return typeof contentUrl === 'string' ? `<a href="${escape(contentUrl)}">${name}</a>` : name;
  });
  return links.length === 0 ? '' : `<p>${links.join('<br>')}</p>`;
}

/** An import takes no attachments: a card becomes its name, anything else a link to where it was. */
function lostAttachments(item: ItemVersion): readonly string[] {
  const lost = listOf(item.properties['attachments']).map(({ contentType }) =>
    textOf(contentType).includes('card') ? 'cards' : 'attachments',
  );
  return [...new Set(lost)];
}

function withTemporaryIds(html: string, hosted: readonly HostedPart[]): string {
  let out = html.replaceAll(/<attachment id="[^"]*"><\/attachment>/gu, '').replaceAll(/<at id="[^"]*">([^<]*)<\/at>/gu, '<b>$1</b>');
  for (const [index, part] of hosted.entries()) {
    const pattern = new RegExp(`src="[^"]*hostedContents/${RegExp.escape(part.id)}/\\$value[^"]*"`, 'gu');
    out = out.replaceAll(pattern, `src="../hostedContents/${index + 1}/$$value"`);
  }
  return out;
}

export interface ImportOptions {
  readonly createdAt: string;
  readonly people: People;
  readonly hosted: readonly HostedPart[];
}

function lostParts(item: ItemVersion, isKnownAuthor: boolean, hosted: readonly HostedPart[]): readonly string[] {
  const lost = isKnownAuthor ? [] : ['from'];
  if (item.contents.filter(({ role }) => role === 'hosted').length > hosted.length) lost.push('hostedContents');
  if (listOf(item.properties['reactions']).length > 0) lost.push('reactions');
  if (listOf(item.properties['mentions']).length > 0) lost.push('mentions');
  if (item.properties['lastEditedDateTime']) lost.push('lastEditedDateTime');
  return [...lost, ...lostAttachments(item)];
}

function htmlOf(item: ItemVersion, hosted: readonly HostedPart[]): string {
  const { content = '', contentType } = (item.properties['body'] ?? {}) as { readonly contentType?: string; readonly content?: string };
  return contentType === 'html' ? withTemporaryIds(content, hosted) : escape(content).replaceAll('\n', '<br>');
}

function hostedContents(hosted: readonly HostedPart[]): Body {
  if (hosted.length === 0) return {};
  const parts = hosted.map((part, index) => ({
    '@microsoft.graph.temporaryId': String(index + 1),
    contentBytes: Buffer.from(part.bytes).toString('base64'),
    contentType: part.mediaType,
  }));
  return { hostedContents: parts };
}

/**
 * A message for migration mode: author and time as they were, pictures inside. Reactions, mentions
 * and cards are out of the import's reach and become text; an author who is not in the directory
 * any more becomes a name in the text.
 */
export function importedMessage(item: ItemVersion, options: ImportOptions): ImportedMessage {
  const { subject, importance } = item.properties;
  const who = author(item);
  const { people, hosted } = options;
  const known = who?.id && people.isKnownUser(who.id) ? who : undefined;
  const placeholder = known ? '' : `<p><b>${escape(who?.displayName ?? '?')}</b></p>`;
  const { id, displayName } = known ?? people.stand;
  const content = `${placeholder}${htmlOf(item, hosted)}${attachmentLines(item)}${reactionLine(item, people)}`;
  return {
    differences: lostParts(item, known !== undefined, hosted),
    body: {
      createdDateTime: options.createdAt,
      from: { user: { id, displayName, userIdentityType: 'aadUser' } },
      body: { contentType: 'html', content },
      ...(typeof subject === 'string' ? { subject } : {}),
      ...(importance === undefined ? {} : { importance }),
      ...hostedContents(hosted),
    },
  };
}
