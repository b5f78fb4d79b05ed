import { createHmac } from 'node:crypto';
import { mayDo } from '@holdfast/contract/actions';
import { providedRoles, type microsoftSignIn, type MicrosoftSignInBody, type ProvidedRole } from '@holdfast/contract/microsoft-sign-in';
import type { ResponseOf } from '@holdfast/contract/route';
import type { Database, Scope, Tx } from '@holdfast/database';
import { sha256 } from '@holdfast/foundation/bytes';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import { Secret } from '@holdfast/foundation/secrets';
import { membershipIn, type Actor } from '../../access/actor.ts';
import type { Sealing } from '../../keys/sealing.ts';
import type { AuditEvent, AuditInbox } from '../audit/index.ts';
import type { Caller, PortalSession, ProvidedAccounts } from '../identity/index.ts';
import { actorEntry, readOrganisation, type ProvidedMembers } from '../organisations/index.ts';
import type { Application, AttemptSecrets, Entra, ProvidedPerson } from './entra.ts';
import {
  addAttempt,
  hasProviders,
  organisationWithProvider,
  readProvider,
  removeProvider,
  takeAttempt,
  writeProvider,
  type ProviderRow,
} from './microsoft-sign-in.store.ts';

const SECRET_BYTES = 32;
const ATTEMPT_MS = 10 * 60_000;

type View = ResponseOf<typeof microsoftSignIn.read>;

export interface MicrosoftSignInParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: AuditInbox;
  readonly sealing: Sealing;
  readonly entra: Entra;
  readonly accounts: ProvidedAccounts;
  readonly members: ProvidedMembers;
  /** The organisation an actor chose last, where a request names none. */
  chosen(actor: Actor): Promise<string | undefined>;
  readonly publicUrl: () => string;
}

/** Where the browser goes, and what it keeps until it comes back. */
export interface Departure {
  readonly address: string;
  readonly keepsake: string;
  readonly seconds: number;
}

export interface MicrosoftSignInService {
  read(actor: Actor, organisationId: string | undefined): Promise<View>;
  change(actor: Actor, organisationId: string | undefined, body: MicrosoftSignInBody, caller: Caller): Promise<View>;
  remove(actor: Actor, organisationId: string | undefined, caller: Caller): Promise<void>;
  isOffered(): Promise<boolean>;
  start(organisation: string | undefined): Promise<Departure>;
  complete(answer: string, keepsake: string | undefined, caller: Caller): Promise<PortalSession>;
}

const placeOf = ({ organisationId }: Scope) => ({ table: 'microsoft_sign_in', column: 'client_secret', row: organisationId });

/** The highest role that one of the groups gives. */
export function roleFor(row: Pick<ProviderRow, ProvidedRole>, groups: readonly string[]): ProvidedRole | undefined {
  return providedRoles.find((role) => row[role].some((group) => groups.includes(group)));
}

/** The nonce and the verifier follow from what the browser keeps, so that the database holds neither. */
function secretsOf(keepsake: string, state: string): AttemptSecrets {
  const derive = (purpose: string): string => createHmac('sha256', keepsake).update(purpose).digest('base64url');
  return { state, nonce: derive('nonce'), verifier: derive('verifier') };
}

/** The application of an organisation, as owners set it up. */
function createSettingUp(parts: MicrosoftSignInParts): Pick<MicrosoftSignInService, 'read' | 'change' | 'remove'> {
  const { database, clock, audit, sealing, entra } = parts;

  /** Accounts are kept once, so production's row holds in both realms. */
  async function place(actor: Actor, organisationId: string | undefined): Promise<Scope> {
    const wanted = (organisationId ?? (await parts.chosen(actor)) ?? actor.memberships[0]?.organisationId) as Scope['organisationId'];
    const membership = membershipIn(actor, wanted, clock.nowMs());
    if (!membership) throw new AppError('not-found');
    if (!mayDo(membership.role, 'organisation.manage')) throw new AppError('access-denied');
    return { organisationId: wanted, realm: 'production' };
  }

  async function viewOf(tx: Tx): Promise<View> {
    const row = await readProvider(tx);
    const abbr = (await readOrganisation(tx))?.abbr ?? '';
    const setUp = row && {
      issuer: row.issuer,
      clientId: row.client_id,
      administrator: row.administrator,
      operator: row.operator,
      auditor: row.auditor,
      reader: row.reader,
    };
    const redirectAddress = redirectOf(parts);
    return { setUp: setUp ?? null, redirectAddress, signInAddress: `${redirectAddress}?organisation=${encodeURIComponent(abbr)}` };
  }

  async function note(tx: Tx, event: AuditEvent, { actor, caller }: { actor: Actor; caller: Caller }, row: ProviderRow): Promise<void> {
    const { issuer, client_id: clientId, administrator, operator, auditor, reader } = row;
    await audit.record(tx, {
      event,
      actor: actorEntry(actor, caller),
      subject: { kind: 'organisation', id: row.organisation_id, name: (await readOrganisation(tx))?.name ?? '' },
      details: { issuer, clientId, administrator, operator, auditor, reader },
    });
  }

  /** The secret that was sent, or the one that is stored while issuer and client stay the same. */
  async function secretFor(scope: Scope, body: MicrosoftSignInBody): Promise<Secret> {
    if (body.clientSecret) return new Secret(body.clientSecret);
    const row = await database.within(scope, readProvider);
    if (row?.issuer !== body.issuer || row.client_id !== body.clientId) {
      throw new AppError('microsoft-sign-in.secret-missing', { details: { field: 'clientSecret' } });
    }
    return new Secret(await sealing.open(scope, row.client_secret, placeOf(scope)));
  }

  return {
    read: async (actor, organisationId) => database.within(await place(actor, organisationId), viewOf),
    async change(actor, organisationId, body, caller) {
      const scope = await place(actor, organisationId);
      const clientSecret = await secretFor(scope, body);
      const { issuer, clientId, administrator, operator, auditor, reader } = body;
      await entra.check({ issuer, clientId, clientSecret });
      const row: ProviderRow = {
        organisation_id: scope.organisationId,
        realm: scope.realm,
        issuer,
        client_id: clientId,
        client_secret: await sealing.seal(scope, clientSecret.reveal(), placeOf(scope)),
        administrator,
        operator,
        auditor,
        reader,
        saved_by: actor.accountId,
      };
      return database.within(scope, async (tx) => {
        await writeProvider(tx, row);
        await note(tx, 'organisations.microsoft-sign-in-changed', { actor, caller }, row);
        return viewOf(tx);
      });
    },
    async remove(actor, organisationId, caller) {
      await database.within(await place(actor, organisationId), async (tx) => {
        const row = await readProvider(tx);
        if (!row || !(await removeProvider(tx))) throw new AppError('microsoft-sign-in.not-set-up');
        await note(tx, 'organisations.microsoft-sign-in-removed', { actor, caller }, row);
      });
    },
  };
}

const redirectOf = ({ publicUrl }: Pick<MicrosoftSignInParts, 'publicUrl'>): string => `${publicUrl()}/signin/microsoft`;

/** People leave for their provider and come back. */
function createSigningIn(parts: MicrosoftSignInParts): Pick<MicrosoftSignInService, 'isOffered' | 'start' | 'complete'> {
  const { database, clock, ids, audit, sealing, entra, accounts, members } = parts;

  async function providerOf(scope: Scope): Promise<{ row: ProviderRow; application: Application }> {
    const row = await database.within(scope, readProvider);
    if (!row) throw new AppError('microsoft-sign-in.failed');
    const clientSecret = new Secret(await sealing.open(scope, row.client_secret, placeOf(scope)));
    return { row, application: { issuer: row.issuer, clientId: row.client_id, clientSecret } };
  }

  async function refuse(scope: Scope, person: ProvidedPerson, caller: Caller, code: string): Promise<never> {
    await database.within(scope, (tx) =>
      audit.record(tx, {
        event: 'organisations.microsoft-sign-in-refused',
        outcome: 'denied',
        actor: { kind: 'anonymous', name: person.email, address: caller.address, requestId: caller.requestId },
        details: { why: code },
      }),
    );
    throw new AppError(code);
  }

  /** The account of the person, and their membership with the role of their groups. */
  async function admit(scope: Scope, row: ProviderRow, person: ProvidedPerson, caller: Caller): Promise<string> {
    const role = roleFor(row, person.groups);
    if (role === undefined) return refuse(scope, person, caller, 'microsoft-sign-in.no-role');
    const key = { organisationId: scope.organisationId, issuer: row.issuer, subject: person.subject };
    const admitted = await database.within(scope, async (tx) => {
      const accountId = await accounts.find(tx, key);
      const id = accountId ?? (await accounts.create(tx, key, person, caller));
      if (id === undefined) return 'microsoft-sign-in.address-taken';
      const member = { accountId: id, email: person.email, role, by: row.saved_by };
      return (await members.admit(tx, member, caller)) ? { id } : 'microsoft-sign-in.no-role';
    });
    return typeof admitted === 'string' ? refuse(scope, person, caller, admitted) : admitted.id;
  }

  return {
    isOffered: () => hasProviders(database),
    async start(organisation) {
      const scope = await organisationWithProvider(database, organisation);
      if (!scope) throw new AppError('microsoft-sign-in.not-set-up');
      const { application } = await providerOf(scope);
      const [keepsake, state] = [ids.token(SECRET_BYTES), ids.token(SECRET_BYTES)];
      const address = await entra.addressFor(application, secretsOf(keepsake, state), redirectOf(parts));
      const attempt = {
        state_hash: sha256(state),
        provider_of: scope.organisationId,
        browser_hash: sha256(keepsake),
        expires_at: new Date(clock.nowMs() + ATTEMPT_MS),
      };
      await database.installation((tx) => addAttempt(tx, attempt, now(clock)));
      return { address, keepsake, seconds: ATTEMPT_MS / 1_000 };
    },
    async complete(answer, keepsake, caller) {
      const come = new URL(redirectOf(parts));
      come.search = answer;
      const state = come.searchParams.get('state');
      if (state === null || keepsake === undefined) throw new AppError('microsoft-sign-in.failed');
      const key = { stateHash: sha256(state), browserHash: sha256(keepsake), at: now(clock) };
      const scope = await database.installation((tx) => takeAttempt(tx, key));
      if (!scope) throw new AppError('microsoft-sign-in.failed');
      const { row, application } = await providerOf(scope);
      const person = await entra.personOf(application, secretsOf(keepsake, state), come);
      return accounts.begin(await admit(scope, row, person, caller), scope.organisationId, caller);
    },
  };
}

export function createMicrosoftSignInService(parts: MicrosoftSignInParts): MicrosoftSignInService {
  return Object.freeze<MicrosoftSignInService>({ ...createSettingUp(parts), ...createSigningIn(parts) });
}
