import type { Database, OrganisationTables, Scope, Tx } from '@holdfast/database';
import { sql, type Insertable } from 'kysely';
import { holdsNow } from './proxy-rights.views.ts';
import type { DirectoryPerson } from './directory-parties.ts';

export type NewProxyRight = Insertable<OrganisationTables['proxy_rights']>;

/** What a right names in the directory. */
export interface NamedParty {
  readonly tenantId: string;
  readonly kind: 'account' | 'group';
  readonly id: string;
}

/** Proxy rights over PostgreSQL. Functions that take `tx` are part of the caller's transaction. */
export interface ProxyRightsStore {
  within: Database['within'];
  /** Waits for other grants of the organisation, so that two cannot both miss each other. */
  lock(tx: Tx): Promise<void>;
  /** Whether the holder has a right over the same target at some time of these. */
  overlaps(tx: Tx, wanted: Pick<NewProxyRight, 'tenant_id' | 'holder_id' | 'target_id' | 'access_from' | 'access_to'>): Promise<boolean>;
  add(tx: Tx, row: NewProxyRight): Promise<void>;
  /** Ends a right of a tenant. False when it has ended already. */
  end(
    tx: Tx,
    right: { readonly tenantId: string; readonly id: string },
    by: { readonly remover: string; readonly at: Date },
  ): Promise<boolean>;
  /** Opens private messages to the holder of a right. False when the right has ended; undefined when the decider holds it. */
  openPrivate(tx: Tx, id: string, by: { readonly decider: string; readonly at: Date }): Promise<boolean | undefined>;
  /** Everything that rights and exemptions name which have not ended. */
  parties(tx: Tx, at: Date): Promise<readonly NamedParty[]>;
  /** Notes the people whom the directory has for an account or group; none when it is gone. */
  keepParty(tx: Tx, named: NamedParty, people: readonly DirectoryPerson[], at: Date): Promise<void>;
}

async function keepParty(tx: Tx, named: NamedParty, people: readonly DirectoryPerson[], at: Date): Promise<void> {
  const { tenantId: tenant_id, id: party_id, kind } = named;
  await tx
    .insertInto('proxy_parties')
    .values({ tenant_id, party_id, kind, synchronised_at: at })
    .onConflict((conflict) => conflict.columns(['organisation_id', 'realm', 'tenant_id', 'party_id']).doUpdateSet({ synchronised_at: at }))
    .execute();
  await sql`
    insert into proxy_people (tenant_id, party_id, person_id, addresses)
    select ${tenant_id}::uuid, ${party_id}, said.person_id, said.addresses
    from jsonb_to_recordset(${JSON.stringify(people.map(({ personId, addresses }) => ({ person_id: personId, addresses })))}::jsonb)
      as said (person_id text, addresses text[])
    on conflict (organisation_id, realm, tenant_id, party_id, person_id) do update set addresses = excluded.addresses, gone_at = null`.execute(
    tx,
  );
  await tx
    .updateTable('proxy_people')
    .set({ gone_at: at })
    .where('tenant_id', '=', tenant_id)
    .where('party_id', '=', party_id)
    .where('gone_at', 'is', null)
    .where(sql<boolean>`person_id <> all(${people.map(({ personId }) => personId)}::text[])`)
    .execute();
}

export function createProxyRightsStore(database: Database): ProxyRightsStore {
  return Object.freeze<ProxyRightsStore>({
    within: <T>(scope: Scope, work: (tx: Tx) => Promise<T>) => database.within(scope, work),
    async lock(tx) {
      await sql`select pg_advisory_xact_lock(hashtextextended('proxy rights ' || holdfast.organisation()::text, 0))`.execute(tx);
    },
    async overlaps(tx, { tenant_id, holder_id, target_id, access_from, access_to }) {
      const found = await tx
        .selectFrom('proxy_rights')
        .select('proxy_right_id')
        .where('tenant_id', '=', tenant_id)
        .where('holder_id', '=', holder_id)
        .where(sql<boolean>`target_id is not distinct from ${target_id}`)
        .where('removed_at', 'is', null)
        .where('access_from', '<', new Date(access_to))
        .where('access_to', '>', new Date(access_from))
        .limit(1)
        .executeTakeFirst();
      return found !== undefined;
    },
    async add(tx, row) {
      await tx.insertInto('proxy_rights').values(row).execute();
    },
    async end(tx, { tenantId, id }, { remover, at }) {
      const ended = await tx
        .updateTable('proxy_rights')
        .set({ remover, removed_at: at })
        .where('tenant_id', '=', tenantId)
        .where('proxy_right_id', '=', id)
        .where('removed_at', 'is', null)
        .where('access_to', '>', at)
        .returning('proxy_right_id')
        .executeTakeFirst();
      return ended !== undefined;
    },
    async openPrivate(tx, id, { decider, at }) {
      const { rows } = await sql`select from proxy_rights granted join proxy_people holding on ${holdsNow}
        where granted.proxy_right_id = ${id} and holding.addresses @> array[${decider.toLowerCase()}]`.execute(tx);
      if (rows.length > 0) return undefined;
      const opened = await tx
        .updateTable('proxy_rights')
        .set({ includes_private: true })
        .where('proxy_right_id', '=', id)
        .where('removed_at', 'is', null)
        .where('access_to', '>', at)
        .returning('proxy_right_id')
        .executeTakeFirst();
      return opened !== undefined;
    },
    async parties(tx, at) {
      const { rows } = await sql<{ tenant_id: string; kind: NamedParty['kind']; id: string }>`
        select distinct named.tenant_id, named.kind, named.id from proxy_rights granted
        cross join lateral (values (granted.tenant_id, granted.holder_kind, granted.holder_id),
          (granted.tenant_id, granted.target_kind, granted.target_id)) named (tenant_id, kind, id)
        where named.id is not null and granted.removed_at is null and granted.access_to > ${at}
        union
        select exempt.tenant_id, exempt.party_kind, exempt.party_id from proxy_exemptions exempt where exempt.ended_at is null`.execute(tx);
      return rows.map(({ tenant_id: tenantId, kind, id }) => ({ tenantId, kind, id }));
    },
    keepParty,
  });
}
