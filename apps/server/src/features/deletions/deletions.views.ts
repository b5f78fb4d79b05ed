import type {
  DeletionDetails,
  DeletionKeeper,
  DeletionMailbox,
  MessageDeletion,
  RemainingCopy,
  Tombstone,
} from '@holdfast/contract/deletions';
import type { Page } from '@holdfast/contract/paging';
import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { pageFrom, type PageWindow } from '../../http/paging.ts';
import { shownState } from './deletions.store.ts';
import { personOf } from './person.views.ts';

type Amounts = 'listed' | 'kept' | 'erased';
type Moments = 'createdAt' | 'previewedAt' | 'decidedAt' | 'dueAt' | 'endedAt' | 'sweptAt';

/** A deletion as its list shows it; moments are not text yet. */
type ListRow = Omit<MessageDeletion, Moments | Amounts> & {
  readonly [Name in Moments]: Date | (Name extends 'createdAt' | 'previewedAt' ? never : null);
} & { readonly [Name in Amounts]: MessageDeletion['listed'] } & {
  readonly remains: Remains | null;
  readonly sweepAt: Date | null;
};

/** Where copies of what was erased remained when they were counted. */
export interface Remains {
  readonly countedAt: string;
  readonly copies: readonly RemainingCopy[];
}

const amountOf = (where: RawBuilder<unknown>): RawBuilder<unknown> => sql`json_build_object('messages', count(*) filter (where ${where}),
  'bytes', coalesce(sum(size_bytes) filter (where ${where}), 0))`;

const figures = sql`
  select ${amountOf(sql`true`)} as listed, ${amountOf(sql`state = 'kept'`)} as kept, ${amountOf(sql`state = 'erased'`)} as erased,
    (count(*) filter (where state = 'gone'))::bigint as gone`;

function textOf({ remains: _remains, sweepAt: _sweepAt, ...row }: ListRow): MessageDeletion {
  const text = (at: Date | null): string | null => at?.toISOString() ?? null;
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    previewedAt: row.previewedAt.toISOString(),
    decidedAt: text(row.decidedAt),
    dueAt: text(row.dueAt),
    endedAt: text(row.endedAt),
    sweptAt: text(row.sweptAt),
  };
}

export interface DeletionsWanted {
  readonly tenantId: string;
  readonly deletionId?: string;
  readonly state?: string | undefined;
  readonly search?: string | undefined;
  readonly isOldestFirst?: boolean;
}

function whereOf({ tenantId, deletionId, state, search }: DeletionsWanted): RawBuilder<unknown> {
  const parts = [sql`deletion.tenant_id = ${tenantId}`];
  if (deletionId !== undefined) parts.push(sql`deletion.deletion_id = ${deletionId}`);
  if (state !== undefined) parts.push(sql`${shownState} = ${state}`);
  if (search !== undefined)
    parts.push(sql`strpos(lower(deletion.query || ' ' || deletion.reason || ' ' || deletion.requester), lower(${search})) > 0`);
  return sql.join(parts, sql` and `);
}

const joined = sql`message_deletions deletion left join runs run on run.organisation_id = deletion.organisation_id
  and run.realm = deletion.realm and run.run_id = deletion.run_id`;

async function rowsOf(tx: Tx, wanted: DeletionsWanted, window: PageWindow): Promise<ListRow[]> {
  const { rows } = await sql<ListRow>`
    select deletion.deletion_id as "deletionId", ${shownState} as state, deletion.basis, deletion.reason, deletion.query, deletion.requester, deletion.policy_id as "policyId",
      deletion.created_at as "createdAt", deletion.previewed_at as "previewedAt", amounts.listed, amounts.kept, amounts.erased, amounts.gone,
      deletion.not_archived as "notArchived", deletion.approver, deletion.decided_at as "decidedAt", deletion.rejection, deletion.due_at as "dueAt",
      deletion.is_everywhere as "isEverywhere", case when deletion.person_id is not null then json_build_object('personId', deletion.person_id,
        'name', deletion.person_name, 'address', deletion.person_address) end as person,
      deletion.returned, deletion.returned_by as "returnedBy", deletion.run_id as "runId",
      case when ${shownState} = 'failed' then run.code end as code, deletion.ended_at as "endedAt", deletion.swept_at as "sweptAt",
      deletion.remains, deletion.sweep_at as "sweepAt"
    from ${joined} cross join lateral (${figures} from message_deletion_items item where item.organisation_id = deletion.organisation_id
      and item.realm = deletion.realm and item.deletion_id = deletion.deletion_id) amounts
    where ${whereOf(wanted)} order by deletion.created_at ${wanted.isOldestFirst ? sql`asc` : sql`desc`}, deletion.deletion_id
    limit ${window.limit} offset ${window.offset}`.execute(tx);
  return rows;
}

/** A page of deletions with their figures. */
export async function deletionsPage(tx: Tx, wanted: DeletionsWanted, window: PageWindow): Promise<Page<MessageDeletion>> {
  const counted = await sql<{ total: number }>`select count(*)::bigint as total from ${joined} where ${whereOf(wanted)}`.execute(tx);
  return pageFrom((await rowsOf(tx, wanted, window)).map(textOf), counted.rows[0]?.total ?? 0, window);
}

async function mailboxesOf(tx: Tx, deletionId: string): Promise<Omit<DeletionMailbox, 'isMention'>[]> {
  const { rows } = await sql<DeletionMailbox>`
    select mailbox.resource_id as "mailboxId", coalesce(nullif(mailbox.name, ''), mailbox.address) as name, mailbox.address as email,
      mailbox.kind, coalesce(place.name, '') as "locationName", amounts.listed, amounts.kept, amounts.erased
    from (${figures}, resource_id, location_id from message_deletion_items where deletion_id = ${deletionId} group by resource_id, location_id) amounts
    join resources mailbox on mailbox.resource_id = amounts.resource_id
    left join locations place on place.location_id = amounts.location_id
    order by lower(mailbox.name), mailbox.kind, mailbox.resource_id, place.name`.execute(tx);
  return rows;
}

async function keepersIn(tx: Tx, deletionId: string): Promise<DeletionKeeper[]> {
  const { rows } = await sql<DeletionKeeper>`
    select keeper ->> 'kind' as kind, keeper ->> 'name' as name, nullif(max(coalesce(keeper ->> 'until', '~')), '~') as until, count(*)::bigint as messages
    from message_deletion_items item cross join lateral jsonb_array_elements(item.kept_by) keeper
    where item.deletion_id = ${deletionId} and item.state = 'kept' group by 1, 2 order by 4 desc, 1, 2`.execute(tx);
  return rows;
}

/** A deletion by mailbox, with what keeps messages of it and where copies remain; undefined where the tenant has none of this id. */
export async function deletionDetails(
  tx: Tx,
  wanted: { readonly tenantId: string; readonly deletionId: string },
): Promise<Omit<DeletionDetails, 'approval'> | undefined> {
  const [row] = await rowsOf(tx, wanted, { offset: 0, limit: 1 });
  if (!row) return undefined;
  const { remains, sweepAt } = row;
  const own = row.person && (await personOf(tx, wanted.tenantId, row.person.personId))?.resourceIds;
  return {
    ...textOf(row),
    mailboxes: (await mailboxesOf(tx, wanted.deletionId)).map((place) => ({
      ...place,
      isMention: own ? !own.includes(place.mailboxId) : false,
    })),
    keepers: await keepersIn(tx, wanted.deletionId),
    remains:
      remains === null ? null : { countedAt: remains.countedAt, copies: [...remains.copies], sweepAt: sweepAt?.toISOString() ?? null },
  };
}

/** The deletion that a run carried out; undefined for other runs. */
export async function deletionOfRun(tx: Tx, tenantId: string, runId: string): ReturnType<typeof deletionDetails> {
  const { rows } = await sql<{ deletionId: string | null }>`
    select body ->> 'deletionId' as "deletionId" from runs where run_id = ${runId} and tenant_id = ${tenantId} and type = 'erasure'`.execute(
    tx,
  );
  const deletionId = rows[0]?.deletionId;
  return deletionId ? deletionDetails(tx, { tenantId, deletionId }) : undefined;
}

interface TombstoneRow extends Omit<Tombstone, 'mailbox' | 'receivedAt' | 'archivedAt' | 'erasedAt'> {
  readonly mailboxId: string;
  readonly mailboxName: string;
  readonly receivedAt: Date | null;
  readonly archivedAt: Date | null;
  readonly erasedAt: Date;
  readonly total: number;
}

/** A page of tombstones, the newest first. */
export async function tombstonesPage(
  tx: Tx,
  {
    tenantId,
    deletionId,
    search,
  }: { readonly tenantId: string; readonly deletionId?: string | undefined; readonly search?: string | undefined },
  window: PageWindow,
): Promise<Page<Tombstone>> {
  const ofDeletion = deletionId === undefined ? sql`` : sql`and gone.deletion_id = ${deletionId}`;
  const found = search === undefined ? sql`` : sql`and strpos(gone.message_id || ' ' || lower(mailbox.name), lower(${search})) > 0`;
  const { rows } = await sql<TombstoneRow>`
    select gone.message_id as "messageId", mailbox.resource_id as "mailboxId", coalesce(nullif(mailbox.name, ''), mailbox.address) as "mailboxName",
      gone.size_bytes as "sizeBytes", gone.received_at as "receivedAt", gone.archived_at as "archivedAt", gone.erased_at as "erasedAt", gone.basis,
      gone.reason, gone.requester, gone.approver, event.sequence as "logIndex", count(*) over ()::bigint as total
    from tombstones gone
    join resources mailbox on mailbox.organisation_id = gone.organisation_id and mailbox.realm = gone.realm and mailbox.resource_id = gone.resource_id
    left join lateral (select sequence from audit_events where subject_id = gone.segment_hash order by sequence limit 1) event on true
    where mailbox.tenant_id = ${tenantId} ${ofDeletion} ${found}
    order by gone.erased_at desc, gone.resource_id, gone.message_id limit ${window.limit} offset ${window.offset}`.execute(tx);
  const items = rows.map(({ mailboxId, mailboxName, total: _total, receivedAt, archivedAt, erasedAt, ...row }) => ({
    ...row,
    mailbox: { mailboxId, name: mailboxName },
    receivedAt: receivedAt?.toISOString() ?? null,
    archivedAt: archivedAt?.toISOString() ?? null,
    erasedAt: erasedAt.toISOString(),
  }));
  return pageFrom(items, rows[0]?.total ?? 0, window);
}
