import type { ProxyExemption, ProxyExemptionBody } from '@holdfast/contract/proxy-rights';
import type { Tx } from '@holdfast/database';
import { now } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { actorEntry } from '../organisations/index.ts';
import { addExemption, endExemption, exemptionOf, listExemptions, readExemption } from './exemptions.store.ts';
import type { ProxyAsking, ProxyRightsParts } from './proxy-rights.service.ts';

const KIND = 'exemptionEnd';

/** Whose content opens to nobody on a role or a proxy right. One person exempts, two let it end. */
export interface ExemptionsService {
  list(asking: Pick<ProxyAsking, 'scope' | 'tenantId'>): Promise<{ items: ProxyExemption[] }>;
  add(asking: ProxyAsking, body: ProxyExemptionBody): Promise<ProxyExemption>;
  /** Asks a second person for its end. It stays in force until then. */
  end(asking: ProxyAsking, exemptionId: string, reason: string): Promise<ProxyExemption>;
}

export function createExemptionsService({ store, directory, audit, clock, ids, approvals }: ProxyRightsParts): ExemptionsService {
  approvals.on(KIND, {
    apply: (tx, { subjectId }) => endExemption(tx, subjectId, now(clock)),
    drop: () => Promise.resolve(),
  });

  async function viewOf(tx: Tx, { tenantId }: Pick<ProxyAsking, 'tenantId'>, exemptionId: string): Promise<ProxyExemption> {
    const row = await readExemption(tx, exemptionId);
    if (row?.tenant_id !== tenantId) throw new AppError('not-found');
    return exemptionOf(row, (await approvals.open(tx, KIND)).has(exemptionId));
  }

  return Object.freeze<ExemptionsService>({
    list: ({ scope, tenantId }) =>
      store.within(scope, async (tx) => {
        const ending = await approvals.open(tx, KIND);
        return { items: (await listExemptions(tx, tenantId)).map((row) => exemptionOf(row, ending.has(row.exemption_id))) };
      }),
    async add(asking, { party, reason }) {
      const { scope, tenantId, actor, caller } = asking;
      const found = await directory.read(scope, tenantId, party);
      if (!found) throw new AppError('proxy-rights.party-unknown', { details: { field: 'party' } });
      const id = ids.uuid();
      const at = now(clock);
      const named = { party_kind: found.kind, party_id: found.id, party_name: found.name, party_address: found.address };
      return store.within(scope, async (tx) => {
        const made = { exemption_id: id, tenant_id: tenantId, reason, adder: actor.email, added_at: at };
        if (!(await addExemption(tx, { ...made, ...named })))
          throw new AppError('proxy-rights.already-exempt', { details: { field: 'party' } });
        await store.keepParty(tx, { kind: found.kind, id: found.id, tenantId }, found.people, at);
        const subject = { kind: 'exemption', id, name: found.name };
        await audit.record(tx, { event: 'proxy-rights.exempted', actor: actorEntry(actor, caller), subject, reason });
        return viewOf(tx, asking, id);
      });
    },
    end: (asking, exemptionId, reason) =>
      store.within(asking.scope, async (tx) => {
        const { scope, tenantId, actor, caller } = asking;
        const { state, party } = await viewOf(tx, asking, exemptionId);
        if (state !== 'active') throw new AppError('proxy-rights.not-exempt');
        const subject = { kind: 'exemption', id: exemptionId, name: party.name };
        await audit.record(tx, { event: 'proxy-rights.exemption-end-asked', actor: actorEntry(actor, caller), subject, reason });
        await approvals.ask(tx, {
          scope,
          actor,
          tenantId,
          kind: KIND,
          subject: { id: exemptionId, name: party.name },
          details: { reason },
        });
        return viewOf(tx, asking, exemptionId);
      }),
  });
}
