import type { sensitiveConversationsQuery } from '@holdfast/contract/compliance';
import type { SensitiveConversation } from '@holdfast/contract/compliance-values';
import { FOREVER, type Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import type { z } from 'zod';
import { likePattern, pageFrom, sortOf, windowOf } from '../../http/paging.ts';
import { managedSources } from './managed-sources.views.ts';

type ConversationsQuery = z.output<typeof sensitiveConversationsQuery>;

interface FoundRow {
  readonly resource_id: string;
  readonly source_id: string;
  readonly node_id: string;
  readonly name: string;
  readonly team: string | null;
  readonly messages: number;
  readonly found: SensitiveConversation['found'];
  readonly guests: SensitiveConversation['guests'];
}

const orders = { guests: 'cardinality(guests)', messages: 'messages', name: 'lower(name)' } as const;

/** The newest version of something in the catalog, by its key. */
const newest = (alias: string, source: RawBuilder<unknown>, key: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  catalog_items ${sql.ref(alias)} on ${sql.ref(`${alias}.organisation_id`)} = holdfast.organisation() and ${sql.ref(`${alias}.realm`)} = holdfast.realm()
    and ${sql.ref(`${alias}.source_id`)} = ${source} and ${sql.ref(`${alias}.item_key`)} = ${key} and ${sql.ref(`${alias}.to_point`)} = ${FOREVER}`;

/**
 * Messages of chats and channels that name such numbers, as they are now: nobody reads in Microsoft 365 what was deleted there, though its
 * words are kept. Each chat and team counts once, as the location with its newest restore point has it. A reply belongs to the channel of its post.
 */
function messagesOf(tenantId: string): RawBuilder<unknown> {
  return sql`
    named as materialized (
      select words.source_id, words.item_key, words.from_point, one.kind, one.sample
      from search_sensitive one join search_items words on words.organisation_id = one.organisation_id and words.realm = one.realm
        and words.item_no = one.item_no
      where words.kind = 'im'),
    message as (
      select held.resource_id, named.source_id, named.item_key, named.kind, named.sample,
        case item.kind when 'reply' then post.parent_key else item.parent_key end as node_id
      from named join ${managedSources(tenantId, ['chat', 'team'])} held using (source_id)
      join ${newest('item', sql`named.source_id`, sql`named.item_key`)} and item.from_point = named.from_point
      left join ${newest('post', sql`named.source_id`, sql`item.parent_key`)} and item.kind = 'reply'
      where item.detail -> 'properties' ->> 'deletedDateTime' is null)`;
}

/**
 * Finds guests and people of other tenants among the members of a chat, of a channel with its own members, or of the team that a
 * channel belongs to.
 */
function conversationsOf(tenantId: string): RawBuilder<unknown> {
  return sql`
    with ${messagesOf(tenantId)},
    counted as (
      select resource_id, source_id, node_id, kind, count(distinct item_key)::bigint as messages, min(sample) as sample
      from message where node_id is not null group by 1, 2, 3, 4),
    summed as (
      select resource_id, source_id, node_id, count(distinct item_key)::bigint as messages from message where node_id is not null group by 1, 2, 3),
    conversation as (
      select summed.*, node.name, team.name as team,
        (select jsonb_agg(jsonb_build_object('kind', kind, 'messages', counted.messages, 'sample', sample) order by counted.messages desc, kind)
          from counted where counted.source_id = summed.source_id and counted.node_id = summed.node_id) as found,
        array(select distinct coalesce(nullif(member ->> 'displayName', ''), member ->> 'email', '')
          from json_array_elements(coalesce(node.detail -> 'properties' -> 'members', team.detail -> 'properties' -> 'members', '[]')) as member
          where exists (select from json_array_elements_text(coalesce(member -> 'roles', '[]')) as role where role = 'guest')
            or lower(member ->> 'tenantId') <> (select lower(microsoft_tenant_id) from tenants where tenant_id = ${tenantId})
          order by 1) as guests
      from summed join ${newest('node', sql`summed.source_id`, sql`summed.node_id`)}
      left join ${newest('team', sql`summed.source_id`, sql`node.parent_key`)} and team.kind = 'team')`;
}

function conditions(query: ConversationsQuery): RawBuilder<unknown> {
  const parts = [sql`true`];
  if (query.kind !== undefined) parts.push(sql`found @> ${JSON.stringify([{ kind: query.kind }])}::jsonb`);
  if (query.exposed !== undefined) parts.push(sql`(cardinality(guests) > 0) = ${query.exposed}`);
  if (query.search !== undefined) parts.push(sql`(name ilike ${likePattern(query.search)} or team ilike ${likePattern(query.search)})`);
  return sql.join(parts, sql` and `);
}

/** Chats and channels whose messages name personal or payment numbers, those with most guests first. */
export async function sensitiveConversationsPage(tx: Tx, tenantId: string, query: ConversationsQuery) {
  const window = windowOf(query);
  const { column, isDescending } = sortOf<keyof typeof orders>(query.sort, { column: 'guests', isDescending: true });
  const from = sql`${conversationsOf(tenantId)} select * from conversation where ${conditions(query)}`;
  const { rows } = await sql<FoundRow>`${from}
    order by ${sql.raw(`${orders[column]} ${isDescending ? 'desc' : 'asc'}`)}, messages desc, source_id, node_id
    limit ${window.limit} offset ${window.offset}`.execute(tx);
  const counted = await sql<{ conversations: number; messages: number; exposed: number }>`
    select count(*)::bigint as conversations, coalesce(sum(messages), 0)::bigint as messages,
      count(*) filter (where cardinality(guests) > 0)::bigint as exposed from (${from}) wanted`.execute(tx);
  const totals = counted.rows[0] ?? { conversations: 0, messages: 0, exposed: 0 };
  const items = rows.map(({ resource_id, source_id, node_id, ...row }): SensitiveConversation => ({
    resourceId: resource_id,
    sourceId: source_id,
    nodeId: node_id,
    ...row,
  }));
  return { ...pageFrom(items, totals.conversations, window), totals };
}
