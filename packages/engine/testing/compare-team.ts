import type { TruthRecord } from '@holdfast/m365-simulator';
import type { Resource } from '../src/ports/item.ts';
import type { Rig } from './rig.ts';

/** A channel message as both sides can say it. */
export interface ComparedPost {
  readonly channel: string;
  readonly id: string;
  readonly createdAt: string;
  readonly from: string;
  readonly body: string;
  readonly isDeleted: boolean;
  readonly hosted: readonly string[];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function iso(value: unknown): string {
  const ms = Date.parse(text(value));
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString();
}

function fromTruth(record: TruthRecord): ComparedPost {
  const { metadata } = record;
  const { body, from, hostedContents } = metadata as unknown as {
    readonly body: { readonly content?: string };
    readonly from: { readonly userId?: string } | null;
    readonly hostedContents: readonly { readonly sha256: string }[];
  };
  return {
    channel: text(metadata['conversationId']),
    id: record.id,
    createdAt: iso(metadata['createdAt']),
    from: from?.userId ?? '',
    body: body.content ?? '',
    isDeleted: metadata['deletedAt'] !== null,
    hosted: hostedContents.map((one) => one.sha256).toSorted(),
  };
}

function byTime(posts: readonly ComparedPost[]): readonly ComparedPost[] {
  return posts.toSorted((a, b) => (`${a.channel} ${a.id}` < `${b.channel} ${b.id}` ? -1 : 1));
}

/** What the simulator's own record says of a team's messages. */
export async function teamOfTruth(rig: Rig, teamId: string): Promise<readonly ComparedPost[]> {
  return byTime((await rig.truth('teams', teamId)).filter((record) => record.kind === 'chatMessage').map(fromTruth));
}

/** What the vault has of a team's messages at a restore point. */
export async function teamOfVault(rig: Rig, resource: Resource, sequence?: number): Promise<readonly ComparedPost[]> {
  const posts: ComparedPost[] = [];
  for (const item of await rig.items(resource, sequence)) {
    if (item.kind !== 'post' && item.kind !== 'reply') continue;
    const { body, from, messageId, deletedDateTime } = item.properties as unknown as {
      readonly body?: { readonly content?: string };
      readonly from?: { readonly user?: { readonly id?: string } };
      readonly messageId: string;
      readonly deletedDateTime?: string;
    };
    posts.push({
      channel: item.key.slice(item.key.indexOf(':') + 1, item.key.indexOf('@thread') + '@thread.tacv2'.length),
      id: messageId,
      createdAt: iso(item.createdAt),
      from: from?.user?.id ?? '',
      body: body?.content ?? '',
      isDeleted: deletedDateTime !== undefined,
      hosted: item.contents
        .filter((content) => content.role === 'hosted')
        .map((content) => content.ref.sha256)
        .toSorted(),
    });
  }
  return byTime(posts);
}
