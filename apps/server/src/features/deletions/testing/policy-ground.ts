import type { DeletionDetails } from '@holdfast/contract/deletions';
import type { Page } from '@holdfast/contract/paging';
import type { DirectoryState, Policy, PolicyPreview } from '@holdfast/contract/retention';
import type { TestDatabase } from '@holdfast/database/testing/test-database';
import { systemClock as clock } from '@holdfast/foundation/clock';
import { silentLogger as logger } from '@holdfast/foundation/logger';
import { secureRandom } from '@holdfast/foundation/random';
import { Secret } from '@holdfast/foundation/secrets';
import { createGraphClient, createMemoryBudgets } from '@holdfast/m365';
import type { Simulator } from '@holdfast/m365-simulator';
import { expect } from 'vitest';
import { testIds as ids } from '../../../testing/rows.ts';
import type { SignedIn } from '../../../testing/test-server.ts';
import type { Approval } from '@holdfast/contract/approvals';
import type { Approvals } from '../../approvals/index.ts';
import { createAuditInbox } from '../../audit/index.ts';
import type { TenantGraph } from '../../backup/index.ts';
import { createHoldsFeature } from '../../holds/index.ts';
import { createRetentionFeature } from '../../retention/index.ts';
import { remindReviewers, type TellReviewers, type WaitingReview } from '../../retention/disposition-reminders.ts';
import { createRetainedDirectory } from '../../retention/directory.service.ts';
import { createRetentionStore } from '../../retention/retention.store.ts';
import { createDeletionsStore } from '../deletions.store.ts';
import { createPolicyLists } from '../policy-lists.service.ts';
import { deletionGround, mail } from './deletion-ground.ts';

/** A mail that says when the server of its reader received it. */
export const receivedMail = (subject: string, received: string, date = 'Mon, 02 Nov 2026 10:00:00 +0000'): string =>
  `Received: from a.example by b.example; ${received}\n${mail(subject).replace(/^Date: .*$/mu, `Date: ${date}`)}`;

/** Mails received in the years that policies of these tests are about. */
export const oldMail = (subject: string): string => receivedMail(subject, 'Tue, 05 Mar 2019 10:00:00 +0000');

const rules = { anchor: 'received', length: null, maximum: { amount: 1, unit: 'years' }, start: 'day' } as const;

function clientOf({ tenants: [access], login, graph, caPem }: Simulator) {
  if (!access) throw new Error('The simulator has no tenant.');
  const { tenantId, clientId, clientSecret } = access;
  return createGraphClient({
    tenantId,
    credential: { kind: 'secret', clientId, clientSecret: new Secret(clientSecret) },
    endpoints: { loginUrl: login, graphUrl: graph, ca: caPem },
    budgets: createMemoryBudgets({ clock, ids }),
    clock,
    random: secureRandom,
    ids,
    logger,
    userAgentVersion: '0.1.0',
  });
}

/** Deletions of policies: what people do over HTTP, and what the scheduler does each minute. */
export async function policyGround(testing: TestDatabase) {
  const ground = await deletionGround(testing);
  const base = { database: testing.database, audit: createAuditInbox({ clock, ids }), clock, ids, logger };
  // Approvals are the server's: these features only look and list.
  const approvals = { on: () => undefined } as unknown as Approvals;
  const holds = createHoldsFeature({ ...base, recognisesScans: false, scopes: () => Promise.resolve([]) }, approvals);
  const client = clientOf(ground.simulator);
  const graph: TenantGraph = { use: (_scope, _tenantId, work) => work(client) };
  const told: WaitingReview[] = [];
  const tellReviewers: TellReviewers = async (_tx, _scope, waiting) => void told.push(waiting);
  const retention = createRetentionFeature(
    {
      ...base,
      holdsOnArchive: (...mailbox) => holds.holdsOnArchive(...mailbox),
      recognisesScans: false,
      tellReviewers,
      graph,
      scopes: () => Promise.resolve([]),
    },
    approvals,
  );
  const keepers: Parameters<typeof createPolicyLists>[0]['keepers'] = {
    holds: (...mailbox) => holds.holdsOnArchive(...mailbox),
    policies: (...messages) => retention.policiesOfMessages(...messages),
  };
  const lists = createPolicyLists({ ...base, store: createDeletionsStore(testing.database), keepers, dueMessages: retention.due });

  const policy = (to: string, options: { who?: SignedIn; body?: object; method?: string } = {}) =>
    ground.send<Policy>(`archive/policies${to}`, options);

  async function decide(subjectId: string, verb: 'approve' | 'refuse' = 'approve'): Promise<number> {
    const { items } = (await ground.send<{ items: Approval[] }>('approvals', { who: ground.second })).body;
    const waiting = items.find((one) => one.subjectId === subjectId && one.status === 'waiting');
    return (await ground.send(`approvals/${waiting?.approvalId}/${verb}`, { who: ground.second, body: {} })).status;
  }

  /** Drafts a policy: with a maximum of one year from receipt unless `terms` say otherwise. */
  async function drafted(name: string, terms: object): Promise<Policy> {
    const answer = await policy('', { body: { name, ...rules, ...terms } });
    expect(answer).toMatchObject({ status: 201, body: { status: 'draft' } });
    return answer.body;
  }

  const preview = async ({ policyId }: Policy): Promise<PolicyPreview> =>
    (await ground.send<PolicyPreview>(`archive/policies/${policyId}/preview`, { body: {} })).body;

  async function inForce(name: string, terms: object): Promise<Policy> {
    const { policyId } = await drafted(name, terms);
    await policy(`/${policyId}/preview`, { body: {} });
    expect((await policy(`/${policyId}/activate`, { body: {} })).body.status).toBe('waiting');
    expect(await decide(policyId)).toBe(200);
    return (await policy(`/${policyId}`)).body;
  }

  async function end({ policyId }: Policy): Promise<void> {
    await policy(`/${policyId}/end`, { body: { reason: 'Not needed any longer' } });
    expect(await decide(policyId)).toBe(200);
  }

  /** What the scheduler does each minute, once it is time to look at a policy. */
  async function look({ policyId }: Policy): Promise<number> {
    await testing.asSuperuser(
      `update retention_policies set look_at = now() - interval '1 minute' where policy_id = $1 and look_at is not null`,
      [policyId],
    );
    return lists.look(ground.scope, policyId);
  }

  /** The deletions that a policy has listed, the newest first. */
  async function listed({ policyId, name }: Policy): Promise<readonly DeletionDetails[]> {
    const page = (await ground.send<Page<DeletionDetails>>('archive/deletions?limit=200')).body;
    return page.items.filter((one) => one.policyId === policyId || one.query === name);
  }

  async function newest(of: Policy): Promise<DeletionDetails> {
    const [deletion] = await listed(of);
    if (!deletion) throw new Error(`${of.name} has listed nothing.`);
    return ground.read(deletion);
  }

  /** Lets the quarantine pass and the run end. */
  async function carriedOut(deletion: DeletionDetails): Promise<DeletionDetails> {
    await ground.passQuarantine(deletion);
    expect(await ground.startDue(deletion)).toBe(true);
    return ground.ended(deletion);
  }

  const directory = createRetainedDirectory({ ...base, store: createRetentionStore(testing.database), graph });
  /** What the scheduler does with the directory when somebody has asked for it. */
  async function readDirectory(): Promise<DirectoryState> {
    expect((await ground.send('archive/directory/read', { body: {} })).status).toBe(200);
    await directory.turn(ground.scope);
    return (await ground.send<DirectoryState>('archive/directory')).body;
  }

  /** What the scheduler does each minute with reminders; `told` has what reviewers were told. */
  const remind = (): Promise<void> => remindReviewers({ ...base, store: createRetentionStore(testing.database), tell: tellReviewers });

  return {
    ...ground,
    async close() {
      await client.close();
      await ground.close();
    },
    told,
    readDirectory,
    remind,
    policiesOf: (resourceId: string, messageId: string) =>
      testing.database.within(ground.scope, (tx) => retention.policiesOf(tx, { resourceId, messageId })),
    minimumsOn: (resourceId: string, locationId: string) => retention.minimumsOn(ground.scope, { resourceId, locationId }),
    lists,
    policy,
    decidePolicy: decide,
    draftedPolicy: drafted,
    preview,
    inForce,
    end,
    look,
    listed,
    newest,
    carriedOut,
  };
}
export type PolicyGround = Awaited<ReturnType<typeof policyGround>>;
