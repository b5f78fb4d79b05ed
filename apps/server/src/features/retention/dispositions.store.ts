import { FOREVER, type Tx } from '@holdfast/database';
import { sql } from 'kysely';

/** A message before a stage, locked until the transaction has ended. */
export interface OpenItem {
  readonly resourceId: string;
  readonly messageId: string;
  readonly round: number;
  readonly stage: number;
  /** Who has decided about it at earlier stages. */
  readonly deciders: readonly string[];
}

/** A message that reviewers have said is kept longer, by the policy whose maximum it is past. */
export interface KeptLonger {
  readonly messageId: string;
  readonly name: string;
  /** The last day on which it is kept. */
  readonly until: string;
}

/** A message that reviewers have brought under another policy. */
export interface Moved {
  readonly messageId: string;
  readonly policyId: string;
}

interface MessagesOf {
  readonly policyId: string;
  readonly resourceId: string;
  readonly messageIds: readonly string[];
}

interface Reviewed {
  readonly decision: 'delete' | 'keep' | 'move';
  readonly until: string | null;
  readonly toPolicyId: string | null;
  readonly reason: string;
  readonly by: { readonly accountId: string; readonly email: string };
  readonly at: Date;
}

const isInForce = (policy: 'policy' | 'other') =>
  sql`${sql.ref(`${policy}.activated_at`)} is not null and ${sql.ref(`${policy}.ended_at`)} is null`;

/** Puts messages before the first stage: new ones, and those that were kept until a day that is over or came under a policy that has ended. Answers how many. */
export async function openItems(
  tx: Tx,
  { policyId, resourceId, messageIds }: MessagesOf,
  { at, today }: { readonly at: Date; readonly today: string },
): Promise<number> {
  const { rows } = await sql`
    insert into disposition_items as item (policy_id, resource_id, message_id, stage, state, since)
    select ${policyId}, ${resourceId}, message_id, 1, 'open', ${at} from unnest(${[...messageIds]}::text[]) as past (message_id)
    on conflict (organisation_id, realm, policy_id, resource_id, message_id) do update
      set round = item.round + 1, stage = 1, state = 'open', since = ${at}, keep_until = null, moved_to = null
      where (item.state = 'kept' and item.keep_until < ${today}::date) or (item.state = 'moved'
        and not exists (select from retention_policies other where other.policy_id = item.moved_to and ${isInForce('other')}))
    returning 1`.execute(tx);
  return rows.length;
}

/** Of some messages those of which the last stage of a policy has said that they go. */
export async function saidToGo(tx: Tx, { policyId, resourceId, messageIds }: MessagesOf): Promise<ReadonlySet<string>> {
  const rows = await tx
    .selectFrom('disposition_items')
    .select('message_id')
    .where('policy_id', '=', policyId)
    .where('resource_id', '=', resourceId)
    .where('message_id', 'in', [...messageIds, ''])
    .where('state', '=', 'deleting')
    .execute();
  return new Set(rows.map((row) => row.message_id));
}

/** Of some messages those that reviewers of a policy have brought under another one that is in force. */
export async function movedAway(tx: Tx, { policyId, resourceId, messageIds }: MessagesOf): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ message_id: string }>`
    select item.message_id from disposition_items item join retention_policies other on other.organisation_id = item.organisation_id
      and other.realm = item.realm and other.policy_id = item.moved_to and ${isInForce('other')}
    where item.policy_id = ${policyId} and item.resource_id = ${resourceId} and item.message_id = any(${[...messageIds]})`.execute(tx);
  return new Set(rows.map((row) => row.message_id));
}

/** Messages of an archive, all or some, that reviewers of policies in force have said are kept until a day that is not over. */
export async function keptLonger(
  tx: Tx,
  { resourceId, messageIds, today }: { readonly resourceId: string; readonly messageIds?: readonly string[]; readonly today: string },
): Promise<readonly KeptLonger[]> {
  const { rows } = await sql<KeptLonger>`
    select item.message_id as "messageId", policy.name, item.keep_until::text as until from disposition_items item
    join retention_policies policy using (organisation_id, realm, policy_id)
    where item.resource_id = ${resourceId} and item.state = 'kept' and item.keep_until >= ${today}::date and ${isInForce('policy')}
      ${messageIds === undefined ? sql`` : sql`and item.message_id = any(${[...messageIds]})`}`.execute(tx);
  return rows;
}

/** Messages of an archive, all or some, that reviewers of policies in force have brought under other policies in force. */
export async function movedTo(
  tx: Tx,
  { resourceId, messageIds }: { readonly resourceId: string; readonly messageIds?: readonly string[] },
): Promise<readonly Moved[]> {
  const { rows } = await sql<Moved>`
    select distinct item.message_id as "messageId", item.moved_to as "policyId" from disposition_items item
    join retention_policies policy using (organisation_id, realm, policy_id)
    join retention_policies other on other.organisation_id = item.organisation_id and other.realm = item.realm and other.policy_id = item.moved_to
    where item.resource_id = ${resourceId} and item.state = 'moved' and ${isInForce('policy')} and ${isInForce('other')}
      ${messageIds === undefined ? sql`` : sql`and item.message_id = any(${[...messageIds]})`}`.execute(tx);
  return rows;
}

/** A policy takes over what reviewers of the one in whose place it is have kept or moved, and what others have moved there. */
export async function inheritItems(tx: Tx, { from, to }: { readonly from: string; readonly to: string }): Promise<void> {
  await sql`
    insert into disposition_items (policy_id, resource_id, message_id, round, stage, state, since, keep_until, moved_to)
    select ${to}, resource_id, message_id, round, stage, state, since, keep_until, moved_to from disposition_items
    where policy_id = ${from} and state in ('kept', 'moved') on conflict do nothing`.execute(tx);
  await tx.updateTable('disposition_items').set({ moved_to: to }).where('moved_to', '=', from).where('policy_id', '<>', to).execute();
}

/** The messages that wait among those that are named. */
export async function lockOpen(
  tx: Tx,
  policyId: string,
  messages: readonly { readonly mailboxId: string; readonly messageId: string }[],
): Promise<readonly OpenItem[]> {
  const { rows } = await sql<OpenItem>`
    select item.resource_id as "resourceId", item.message_id as "messageId", item.round, item.stage::int as stage,
      array(select said.decided_by::text from disposition_decisions said where said.policy_id = item.policy_id
        and said.resource_id = item.resource_id and said.message_id = item.message_id and said.round = item.round) as deciders
    from disposition_items item
    join unnest(${messages.map(({ mailboxId }) => mailboxId)}::uuid[], ${messages.map(({ messageId }) => messageId)}::text[])
      as named (resource_id, message_id) on named.resource_id = item.resource_id and named.message_id = item.message_id
    where item.policy_id = ${policyId} and item.state = 'open' order by item.resource_id, item.message_id for update of item`.execute(tx);
  return rows;
}

/** Writes down what a reviewer has said, and what becomes of the messages: after the last stage they go. */
export async function decideItems(
  tx: Tx,
  { policyId, stages, items }: { readonly policyId: string; readonly stages: number; readonly items: readonly OpenItem[] },
  { decision, until, toPolicyId, reason, by, at }: Reviewed,
): Promise<void> {
  const named = sql`unnest(${items.map(({ resourceId }) => resourceId)}::uuid[], ${items.map(({ messageId }) => messageId)}::text[],
    ${items.map(({ round }) => round)}::integer[], ${items.map(({ stage }) => stage)}::smallint[]) as said (resource_id, message_id, round, stage)`;
  await sql`
    insert into disposition_decisions (policy_id, resource_id, message_id, round, stage, decision, keep_until, moved_to, reason,
      decided_by, decider, decided_at)
    select ${policyId}, resource_id, message_id, round, stage, ${decision}, ${until}::date, ${toPolicyId}::uuid, ${reason},
      ${by.accountId}, ${by.email}, ${at} from ${named}`.execute(tx);
  await sql`
    update disposition_items item set since = ${at}, keep_until = ${until}::date, moved_to = ${toPolicyId}::uuid,
      state = case ${decision} when 'keep' then 'kept' when 'move' then 'moved' else case when said.stage < ${stages}::int then 'open' else 'deleting' end end,
      stage = case when ${decision} = 'delete' and said.stage < ${stages}::int then said.stage + 1 else said.stage end
    from ${named} where item.policy_id = ${policyId} and item.resource_id = said.resource_id and item.message_id = said.message_id`.execute(
    tx,
  );
}

/** Messages after a key that reviewers have brought under a policy, in one archive. */
export async function movedAfter(
  tx: Tx,
  { policyId, resourceId }: Pick<MessagesOf, 'policyId' | 'resourceId'>,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly string[]> {
  const { rows } = await sql<{ message_id: string }>`
    select distinct item.message_id from disposition_items item join retention_policies policy using (organisation_id, realm, policy_id)
    join catalog_sources source on source.organisation_id = item.organisation_id and source.realm = item.realm
      and source.resource_id = item.resource_id
    join catalog_items kept on kept.organisation_id = source.organisation_id and kept.realm = source.realm and kept.source_id = source.source_id
      and kept.item_key = item.message_id and kept.to_point = ${FOREVER}
    where item.moved_to = ${policyId} and item.resource_id = ${resourceId} and ${isInForce('policy')} and item.message_id > ${after}
    order by item.message_id limit ${limit}`.execute(tx);
  return rows.map((row) => row.message_id);
}

/** How many messages wait at each stage of a policy. */
export async function waitingAt(tx: Tx, policyId: string): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ stage: number; messages: number }>`
    select stage::int as stage, count(*)::bigint as messages from disposition_items where policy_id = ${policyId} and state = 'open'
    group by stage order by stage`.execute(tx);
  return new Map(rows.map(({ stage, messages }) => [stage, messages]));
}
