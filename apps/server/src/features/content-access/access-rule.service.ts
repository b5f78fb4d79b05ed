import type { ContentAccessMode, contentAccessRule } from '@holdfast/contract/content-access';
import type { Database, Tx } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import type { z } from 'zod';
import type { Approvals } from '../approvals/index.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { Asking } from '../identity/index.ts';
import { actorEntry, readOrganisation } from '../organisations/index.ts';

type AccessRule = z.input<typeof contentAccessRule>;

/** Who asks, in which tenant: approvals are decided there. */
export interface RuleAsking extends Asking {
  readonly tenantId: string;
}

export interface AccessRuleParts {
  readonly database: Database;
  readonly audit: AuditInbox;
  readonly approvals: Pick<Approvals, 'on' | 'ask' | 'open'>;
}

export interface AccessRuleService {
  read(asking: Pick<RuleAsking, 'scope'>): Promise<AccessRule>;
  /** Asks a second person for the other rule. */
  change(asking: RuleAsking, access: ContentAccessMode): Promise<AccessRule>;
}

const KINDS = { strict: 'strictAccess', open: 'openAccess' } as const;

async function organisationOf(tx: Tx) {
  const row = await readOrganisation(tx);
  if (!row) throw new AppError('not-found');
  return row;
}

/** The rule of an organisation on who opens content of others. Either change of it takes two people. */
export function createAccessRuleService({ database, audit, approvals }: AccessRuleParts): AccessRuleService {
  async function viewOf(tx: Tx): Promise<AccessRule> {
    const row = await organisationOf(tx);
    const other = row.content_access === 'open' ? KINDS.strict : KINDS.open;
    const isChanging = (await approvals.open(tx, other)).has(row.organisation_id);
    return { access: row.content_access, organisationId: row.organisation_id, isChanging };
  }

  for (const access of ['open', 'strict'] as const) {
    approvals.on(KINDS[access], {
      async apply(tx) {
        await tx.updateTable('organisations').set({ content_access: access }).execute();
        return true;
      },
      drop: () => Promise.resolve(),
    });
  }

  return Object.freeze<AccessRuleService>({
    read: ({ scope }) => database.within(scope, viewOf),
    change: ({ scope, actor, caller, tenantId }, access) =>
      database.within(scope, async (tx) => {
        const { organisation_id: id, name, content_access: before } = await organisationOf(tx);
        if (before === access) throw new AppError('content.access-unchanged', { details: { field: 'access' } });
        await audit.record(tx, {
          event: 'content.access-asked',
          actor: actorEntry(actor, caller),
          subject: { kind: KINDS[access], id, name },
        });
        await approvals.ask(tx, { scope, actor, tenantId, kind: KINDS[access], subject: { id, name }, details: {} });
        return viewOf(tx);
      }),
  });
}
