import type { DeletionDetails, DeletionMention } from '@holdfast/contract/deletions';
import type { Page } from '@holdfast/contract/paging';
import type { Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import { windowOf } from '../../http/paging.ts';
import type { AuditEvent, AuditInbox } from '../audit/index.ts';
import type { ContentAccess } from '../content-access/index.ts';
import { actorEntry } from '../organisations/index.ts';
import { hitsPage, keepHits, searchPlaceOf, type SearchPlace } from '../search/index.ts';
import type { DeletionRow, DeletionsStore } from './deletions.store.ts';
import type { DeletionAsking, DeletionSteps } from './deletions.service.ts';
import { freezeBackups, freezeList } from './freeze-list.store.ts';
import type { DeletionKeepers } from './keepers.ts';
import { removeListed, statesOf } from './listed-mentions.store.ts';
import { mentionsOf } from './mentions.ts';
import { personOf } from './person.views.ts';
import { previewList } from './preview.service.ts';

export interface MentionsParts {
  readonly store: Pick<DeletionsStore, 'within'>;
  readonly keepers: DeletionKeepers;
  readonly contentAccess: Pick<ContentAccess, 'searchable'>;
  readonly audit: AuditInbox;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Some hits by their numbers, or all of them. */
type Chosen = readonly string[] | 'all';

/** Where a person is mentioned in what is not theirs: listed, and taken into the draft of their erasure or out of it. */
export interface MentionsService {
  list(
    asking: DeletionAsking,
    deletionId: string,
    paging: { readonly cursor?: string | undefined; readonly limit: number },
  ): Promise<Page<DeletionMention>>;
  include(asking: DeletionAsking, deletionId: string, chosen: Chosen): Promise<DeletionDetails>;
  exclude(asking: DeletionAsking, deletionId: string, chosen: Chosen): Promise<DeletionDetails>;
}

interface Mentions {
  readonly place: SearchPlace;
  readonly name: string;
  readonly own: readonly string[];
}

export function createMentionsService(parts: MentionsParts, steps: DeletionSteps): MentionsService {
  const { store, keepers, contentAccess, audit, clock, ids } = parts;

  /** What mentions the person of an erasure, as far as whoever asks may search. */
  async function mentionsIn(tx: Tx, asking: DeletionAsking, row: DeletionRow): Promise<Mentions> {
    const { tenantId } = asking;
    const person = row.person_id === null ? undefined : await personOf(tx, tenantId, row.person_id);
    const query = person && mentionsOf(person);
    if (!person || !query) throw new AppError('not-found');
    const place = await searchPlaceOf(tx, clock, { tenantId, query, reach: await contentAccess.searchable(tx, asking) });
    return { place: { ...place, besides: person.resourceIds }, name: person.name, own: person.resourceIds };
  }

  const note = (
    tx: Tx,
    { actor, caller }: DeletionAsking,
    event: AuditEvent & `deletions.${string}`,
    { deletionId, name, items }: { readonly deletionId: string; readonly name: string; readonly items: number },
  ): Promise<void> =>
    audit.record(tx, {
      event,
      actor: actorEntry(actor, caller),
      subject: { kind: 'messageDeletion', id: deletionId, name },
      details: { hits: items },
    });

  /** Hits as a selection of its own, whose time is over at once. */
  async function selectionOf(tx: Tx, asking: DeletionAsking, { place, name }: Mentions, chosen: Chosen): Promise<string> {
    const at = now(clock);
    const selectionId = ids.uuid();
    const made = { selectionId, query: name, reason: name, ownerId: asking.actor.accountId, at, expiresAt: at };
    const hits = await keepHits(tx, place, made, chosen === 'all' ? undefined : chosen);
    if (hits === 0) throw new AppError('search.nothing-selected');
    return selectionId;
  }

  async function change(asking: DeletionAsking, deletionId: string, chosen: Chosen, isIncluded: boolean): Promise<DeletionDetails> {
    return store.within(asking.scope, async (tx) => {
      const mentions = await mentionsIn(tx, asking, await steps.findDraft(tx, asking, deletionId));
      const selectionId = await selectionOf(tx, asking, mentions, chosen);
      const listed = { deletionId, selectionId };
      const before = (await steps.shown(tx, asking, deletionId)).listed.messages;
      if (isIncluded) {
        await freezeList(tx, listed);
        await freezeBackups(tx, listed);
        await previewList(tx, keepers, deletionId);
      } else {
        await removeListed(tx, { ...listed, besides: mentions.own });
      }
      const details = await steps.shown(tx, asking, deletionId);
      const items = Math.abs(details.listed.messages - before);
      await note(tx, asking, isIncluded ? 'deletions.mentions-added' : 'deletions.mentions-removed', {
        deletionId,
        name: mentions.name,
        items,
      });
      return details;
    });
  }

  return Object.freeze<MentionsService>({
    list: (asking, deletionId, paging) =>
      store.within(asking.scope, async (tx) => {
        const { place, name } = await mentionsIn(tx, asking, await steps.find(tx, asking, deletionId));
        const page = await hitsPage(tx, place, windowOf(paging));
        const states = await statesOf(tx, deletionId, page.items);
        await note(tx, asking, 'deletions.mentions-listed', { deletionId, name, items: page.total });
        return { ...page, items: page.items.map((hit) => ({ hit, ...(states.get(hit.hitId) ?? { state: null, keepers: [] }) })) };
      }),
    include: (asking, deletionId, chosen) => change(asking, deletionId, chosen, true),
    exclude: (asking, deletionId, chosen) => change(asking, deletionId, chosen, false),
  });
}
