import { isAppError } from '@holdfast/foundation/errors';
import { expect, test } from 'vitest';
import type { IdentityOptions } from '../options.ts';
import { enrol, hardenedSuite, password, signIn } from '../testing/hardened-suite.ts';
import type { IdentityApp } from '../testing/identity-app.ts';

/** Every row of the profiles is a switch of its own: the same deed in either position, with all else as the product has it. */
const { app, next, owner } = hardenedSuite(import.meta.url);

type Options = Partial<IdentityOptions>;
/** What is seen of a deed: as the product is, and in the other position. */
interface Switch {
  readonly other: Options;
  readonly seen: readonly [hardened: unknown, other: unknown];
  /** What both positions need to be told apart. */
  readonly given?: Options;
  readonly deed: (made: IdentityApp) => Promise<unknown>;
}

const login = (made: IdentityApp, email: string, more: object = {}) => made.send('/apollo/login', { body: { email, password, ...more } });
const register = (made: IdentityApp, email: string) => made.send('/apollo/register', { body: { email, password } });

async function bearerOf(made: IdentityApp, email: string): Promise<string> {
  return (await signIn(made, email)).sessions.main.token;
}

async function change(made: IdentityApp, what: 'info' | '2fa', body: object): Promise<number> {
  const bearer = await bearerOf(made, await owner(made));
  if (what === '2fa') await enrol(made, bearer);
  return (await made.send(`/apollo/manage/${what}`, { body, bearer })).status;
}

async function refreshAgain(made: IdentityApp, pauseMs: number, times: number): Promise<number> {
  const { refreshToken } = (await login(made, await owner(made))).json;
  let status = 0;
  for (let turn = 0; turn < times; turn += 1) {
    await made.clock.advance(pauseMs);
    status = (await made.send('/apollo/refresh', { body: { refreshToken } })).status;
  }
  return status;
}

async function codeTwice(made: IdentityApp): Promise<number> {
  const email = await owner(made);
  const two = await enrol(made, await bearerOf(made, email));
  await made.clock.advance(60_000);
  const twoFactorCode = two.code();
  await login(made, email, { twoFactorCode });
  return (await login(made, email, { twoFactorCode })).status;
}

async function wrongRecoveryCodes(made: IdentityApp): Promise<unknown> {
  const email = await owner(made);
  await enrol(made, await bearerOf(made, email));
  let detail: unknown;
  for (let turn = 0; turn < 5; turn += 1) detail = (await login(made, email, { twoFactorRecoveryCode: 'AAAAA-BBBBB' })).json['detail'];
  return detail;
}

async function otherSessionAfterNewPassword(made: IdentityApp): Promise<number> {
  const email = await owner(made);
  const [own, other] = [await bearerOf(made, email), await bearerOf(made, email)];
  await made.send('/apollo/manage/info', { body: { oldPassword: password, newPassword: 'Another-Calm-River-12' }, bearer: own });
  return (await made.send('/apollo/probe', { bearer: other })).status;
}

async function registered(made: IdentityApp, email: string): Promise<number> {
  return (await register(made, email)).status;
}

async function unconfirmed(made: IdentityApp): Promise<number> {
  const email = `new${next()}@example.com`;
  await register(made, email);
  return (await login(made, email)).status;
}

async function withPasswordAlone(made: IdentityApp): Promise<number> {
  const { accessToken } = (await login(made, await owner(made))).json;
  return (await made.send('/apollo/account', { bearer: accessToken as string })).status;
}

const open: Options = { registration: 'open' };
const switches: Readonly<Record<string, Switch>> = {
  refreshRotation: { other: { refreshRotation: 'reusable' }, seen: [401, 200], deed: (made) => refreshAgain(made, 11_000, 2) },
  accessLifetime: {
    other: { accessLifetimeMs: 60_000 },
    seen: [900, 60],
    deed: async (made) => (await login(made, await owner(made))).json['expiresIn'],
  },
  idleTimeout: { other: { idleTimeoutMs: undefined }, seen: [401, 200], deed: (made) => refreshAgain(made, 1_200_000, 1) },
  totpReplay: { other: { totpReplay: 'allowed' }, seen: [401, 200], deed: codeTwice },
  recoveryLockout: { other: { recoveryLockout: false }, seen: ['LockedOut', 'Failed'], deed: wrongRecoveryCodes },
  stepUpEmailChange: {
    other: { stepUpEmailChange: false },
    seen: [400, 200],
    deed: (made) => change(made, 'info', { newEmail: `changed${next()}@example.com` }),
  },
  stepUpTwoFactor: { other: { stepUpTwoFactor: false }, seen: [400, 200], deed: (made) => change(made, '2fa', { enable: false }) },
  staleAccess: { other: { staleAccess: 'lives' }, seen: [401, 200], deed: otherSessionAfterNewPassword },
  enumeration: {
    other: { enumeration: 'upstream' },
    given: open,
    seen: [200, 400],
    deed: async (made) => registered(made, await owner(made)),
  },
  registration: { other: open, seen: [403, 200], deed: (made) => registered(made, `new${next()}@example.com`) },
  requireConfirmedEmail: { other: { requireConfirmedEmail: false }, given: open, seen: [401, 200], deed: unconfirmed },
  secondFactor: { other: { secondFactor: 'optional' }, given: { secondFactor: 'required' }, seen: [403, 200], deed: withPasswordAlone },
  password: {
    other: { password: { kind: 'upstream' } },
    seen: [400, 200],
    deed: (made) => change(made, 'info', { oldPassword: password, newPassword: 'Ab1!xy' }),
  },
  emailCharacters: {
    other: { emailCharacters: 'upstream' },
    given: { ...open, emailCharacters: 'spec' },
    seen: [400, 200],
    deed: (made) => registered(made, `new-${next()}@example.com`),
  },
};

test.each(Object.entries(switches))('%s does what it says in either position', async (_name, { other, given = {}, seen, deed }) => {
  expect(await deed(await app({ override: given }))).toEqual(seen[0]);
  expect(await deed(await app({ override: { ...given, ...other } }))).toEqual(seen[1]);
});

test.each([
  ['upstream', { invitation: 201, firstOwner: 'made', forgotten: 200, profile: 200 }],
  ['spec', { invitation: 'email', firstOwner: 'email', forgotten: 200, profile: 400 }],
] as const)(
  'characters of addresses (%s) hold for invitations, the first owner, forgotten passwords and profiles',
  async (characters, seen) => {
    const made = await app({ override: { emailCharacters: characters, stepUpEmailChange: false } });
    const address = (): string => `max-${next()}_mustermann+backup@contoso-firma.de`;
    const bearer = await bearerOf(made, await owner(made));
    const invited = await made.send('/apollo/api/members', { body: { email: address(), role: 'reader' }, bearer });
    const founded = made.access.identity.bootstrap.createOwner({ email: address(), password, organisation: `Firma ${next()}` }, false);
    expect({
      invitation: Object.keys((invited.json['errors'] as object | undefined) ?? {})[0] ?? invited.status,
      firstOwner: await founded.then(
        () => 'made',
        (error: unknown) => (isAppError(error) ? error.details['field'] : 'failed'),
      ),
      // The same answer for every address, whether somebody has it or not.
      forgotten: (await made.send('/api/auth/forgot-password', { body: { email: address() } })).status,
      profile: (await made.send('/apollo/manage/info', { body: { newEmail: address() }, bearer })).status,
    }).toEqual(seen);
  },
);
