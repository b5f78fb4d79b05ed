import type { Scope, Tx } from '@holdfast/database';
import { now } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { accountByEmail, addAccount, hasAccounts, type Account, type AnyTx } from './accounts.store.ts';
import { later, type Caller, type IdentityParts } from './identity-parts.ts';
import { normaliseEmail, requireAllowedCharacters } from './normalise.ts';
import { passwordFaults } from './password-policy.ts';
import { invalid } from './refusal.ts';
import { lockSetup, replaceSetupToken, takeSetupToken } from './setup.store.ts';
import { createSecretText, tokenHash } from './tokens.ts';

/** What the first owner tells. */
export interface FirstOwner {
  readonly email: string;
  readonly password: string;
  readonly organisation: string;
  readonly timeZone?: string | undefined;
}

/** Makes an organisation and its first owner. The organisations feature answers it. */
export interface OrganisationFounder {
  /** In the caller's transaction, which runs within the new organisation. */
  found(
    tx: Tx,
    founding: { readonly organisationId: string; readonly name: string; readonly ownerId: string; readonly timeZone?: string | undefined },
  ): Promise<void>;
  /** The same organisation in the staging realm; may be repeated. */
  mirror(organisationId: string): Promise<void>;
}

/** The first start: nobody can sign in yet. */
export interface BootstrapService {
  /** While there is no account: a new token (the one before is void). Undefined once there is one. */
  openSetup(): Promise<string | undefined>;
  /** With the token of this start: the first organisation and its owner. */
  bootstrap(token: string, owner: FirstOwner, caller: Caller): Promise<Account>;
  /** From the console or the settings, without a token. Refuses when the address is taken. */
  createOwner(owner: FirstOwner, onlyIfFirst: boolean): Promise<Account | undefined>;
}

const TOKEN_MS = 24 * 3_600_000;

const consoleCaller: Caller = { address: '', userAgent: 'console', requestId: '', language: 'en' };

export function createBootstrapService(parts: IdentityParts, founder: OrganisationFounder): BootstrapService {
  const { database } = parts;

  async function hashed(owner: FirstOwner): Promise<string> {
    const faults = passwordFaults(owner.password, parts.options.password, { email: owner.email, organisation: owner.organisation });
    if (faults.length > 0) throw invalid(...faults);
    return parts.hasher.hash(owner.password);
  }

  async function addOwner(tx: AnyTx, owner: FirstOwner, passwordHash: string): Promise<Account> {
    const normalisedEmail = normaliseEmail(owner.email);
    const isNew = await addAccount(tx, {
      id: parts.ids.uuid(),
      email: owner.email,
      normalisedEmail,
      passwordHash,
      securityStamp: createSecretText(parts.random),
      emailConfirmed: true,
      lockoutEnabled: parts.options.lockout.forNewAccounts,
      language: 'en',
      createdAt: now(parts.clock),
    });
    if (!isNew) throw new AppError('identity.already-member');
    return (await accountByEmail(tx, normalisedEmail)) as Account;
  }

  /** Organisation and owner in one transaction; `admit` decides within it. */
  async function found(owner: FirstOwner, caller: Caller, admit: (tx: Tx) => Promise<boolean>): Promise<Account | undefined> {
    requireAllowedCharacters(owner.email, parts.options.emailCharacters);
    const passwordHash = await hashed(owner);
    const organisationId = parts.ids.uuid();
    const scope: Scope = { organisationId: organisationId as Scope['organisationId'], realm: 'production' };
    const account = await database.within(scope, async (tx) => {
      await lockSetup(tx);
      if (!(await admit(tx))) return undefined;
      const added = await addOwner(tx, owner, passwordHash);
      await founder.found(tx, { organisationId, name: owner.organisation, ownerId: added.id, timeZone: owner.timeZone });
      await parts.audit.record(tx, {
        event: 'identity.owner-created',
        actor:
          caller === consoleCaller
            ? { kind: 'console', name: 'console' }
            : { kind: 'account', id: added.id, name: added.email, address: caller.address, requestId: caller.requestId },
        subject: { kind: 'account', id: added.id, name: added.email },
      });
      return added;
    });
    if (account) await founder.mirror(organisationId);
    return account;
  }

  return Object.freeze<BootstrapService>({
    async openSetup() {
      const token = createSecretText(parts.random);
      return database.installation(async (tx) => {
        await lockSetup(tx);
        if (await hasAccounts(tx)) return undefined;
        await replaceSetupToken(tx, tokenHash(token), later(parts, TOKEN_MS));
        return token;
      });
    },
    async bootstrap(token, owner, caller) {
      if (await database.installation((tx) => hasAccounts(tx))) throw new AppError('identity.already-set-up');
      const account = await found(owner, caller, async (tx) => {
        if (await hasAccounts(tx)) throw new AppError('identity.already-set-up');
        if (!(await takeSetupToken(tx, tokenHash(token), now(parts.clock)))) throw new AppError('identity.setup-token-invalid');
        return true;
      });
      if (!account) throw new AppError('identity.already-set-up');
      return account;
    },
    createOwner: (owner, onlyIfFirst) => found(owner, consoleCaller, async (tx) => !onlyIfFirst || !(await hasAccounts(tx))),
  });
}
