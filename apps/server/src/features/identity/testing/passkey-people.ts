import type { PasskeyAnswer, PasskeyCreation, PasskeyRequest } from '@holdfast/contract/passkeys';
import type { TestDatabase } from '@holdfast/database/testing/test-database';
import { expect } from 'vitest';
import { password, signIn, type HardenedSuite } from './hardened-suite.ts';
import type { IdentityApp, Received } from './identity-app.ts';
import { makePasskey, type Manner, type SoftPasskey } from './soft-authenticator.ts';

/** Where people reach the product of these suites. */
export const origin = 'https://backup.contoso.example';

export interface Person {
  readonly email: string;
  readonly bearer: string;
}

export async function person({ owner }: HardenedSuite, made: IdentityApp): Promise<Person> {
  const email = await owner(made);
  return { email, bearer: (await signIn(made, email)).sessions.main.token };
}

export const begin = (made: IdentityApp, { bearer }: Person, proof: object = { password }): Promise<Received> =>
  made.send('/apollo/api/passkeys/creation', { body: proof, bearer });

export const creationOf = (answer: Received): PasskeyCreation => answer.json as unknown as PasskeyCreation;

/** A device of the person makes a passkey; the answer says whether the server took it. */
export async function register(
  made: IdentityApp,
  who: Person,
  { manner = {}, name = 'Laptop' }: { manner?: Manner; name?: string } = {},
): Promise<{ answer: Received; passkey: SoftPasskey }> {
  const asked = await begin(made, who);
  expect([asked.status, asked.json['code']]).toEqual([200, undefined]);
  const passkey = makePasskey(creationOf(asked), origin, manner);
  return { passkey, answer: await made.send('/apollo/api/passkeys', { body: { name, made: passkey.made }, bearer: who.bearer }) };
}

/** What a browser is given before a passkey alone signs somebody in. */
export async function leave(made: IdentityApp, base = '/apollo'): Promise<{ request: PasskeyRequest; cookie: string }> {
  const answer = await made.send(`${base}/api/passkey-sign-in/start`, { method: 'POST' });
  return { request: answer.json as unknown as PasskeyRequest, cookie: (answer.cookies[0] ?? '').split(';')[0] ?? '' };
}

export const come = (made: IdentityApp, answer: PasskeyAnswer, cookie: string | undefined, base = '/apollo'): Promise<Received> =>
  made.send(`${base}/api/passkey-sign-in/complete`, { body: { answer }, ...(cookie === undefined ? {} : { cookie }) });

export async function enter(made: IdentityApp, passkey: SoftPasskey, manner: Manner = {}): Promise<Received> {
  const { request, cookie } = await leave(made);
  return come(made, passkey.sign(request, manner), cookie);
}

/** Password first: the sign-in that then waits for its second factor. */
export async function halfway(made: IdentityApp, email: string): Promise<{ challengeId: string; channels: unknown; answer: Received }> {
  const { answer } = await signIn(made, email);
  return { answer, challengeId: answer.json['challengeId'] as string, channels: answer.json['channels'] };
}

export const optionsFor = async (made: IdentityApp, challengeId: string): Promise<PasskeyRequest> =>
  (await made.send('/api/auth/passkey-options', { body: { challengeId } })).json as unknown as PasskeyRequest;

export const verify = (made: IdentityApp, challengeId: string, answer: PasskeyAnswer): Promise<Received> =>
  made.send('/api/auth/verify-passkey', { body: { challengeId, answer } });

export const told = ({ status, json }: Received): string => `${status} ${(json['code'] as string | undefined) ?? ''}`;

/** What the audit log hears of somebody. */
export async function events(db: TestDatabase, email: string): Promise<string[]> {
  const rows = await db.asSuperuser("select event from audit_inbox where payload->>'actor' = $1 order by id", [email]);
  return rows.map((row) => row['event'] as string);
}

export const list = async (made: IdentityApp, { bearer }: Person) =>
  (await made.send('/apollo/api/passkeys', { bearer })).json as unknown as {
    isPossible: boolean;
    items: { passkeyId: string; name: string; lastUsedAt: string | null; isOfOtherAddress: boolean }[];
  };

export const remove = (made: IdentityApp, { bearer }: Person, passkeyId: string, proof: object = { password }): Promise<Received> =>
  made.send(`/apollo/api/passkeys/${passkeyId}/removal`, { body: proof, bearer });
