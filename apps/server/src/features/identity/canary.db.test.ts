import { Writable } from 'node:stream';
import { createLogger } from '@holdfast/foundation/logger';
import { afterAll, expect, test } from 'vitest';
import { enrol, hardenedSuite, password, signIn } from './testing/hardened-suite.ts';
import { linkIn } from './testing/reading.ts';
import { sharedKeyOf } from './totp.ts';

/** Secrets are planted in everything that accounts do; then the database and the log are searched for them. */
const suite = hardenedSuite(import.meta.url);
const lines: string[] = [];
const destination = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(chunk.toString());
    done();
  },
});

afterAll(() => lines.splice(0));

async function dump(): Promise<string> {
  const tables = await suite.db.asSuperuser("select tablename as name from pg_tables where schemaname in ('public', 'pgboss')");
  const parts: string[] = [];
  for (const { name } of tables) {
    const rows = await suite.db.asSuperuser(`select row_to_json(t)::text as row from ${String(name)} t`).catch(() => []);
    parts.push(...rows.map((row) => String(row['row'])));
  }
  return parts.join('\n');
}

test('no secret of an account is in the database or in the log', async () => {
  const made = await suite.app({ logger: createLogger({ level: 'trace', destination }) });
  const email = await suite.owner(made);
  const { sessions, cookie } = await signIn(made, email);
  const two = await enrol(made, sessions.main.token);
  await made.send('/apollo/login', { body: { email, password: 'Wrong-Canary-Guess-1!' } });
  await made.send('/api/auth/forgot-password', { body: { email } });
  const code =
    linkIn((await made.mails()).filter((mail) => mail.to === email).at(-1))
      .split('/')
      .at(-1) ?? '';
  const secrets = [
    password,
    'Wrong-Canary-Guess-1!',
    code,
    sharedKeyOf(two.key),
    two.key.toString('base64'),
    cookie.split('=')[1] ?? '',
    ...two.recoveryCodes,
    ...Object.values(sessions).map((session) => session.token),
  ];
  const searched = [await dump(), lines.join('\n')];
  const found = secrets.filter((secret) => searched.some((text) => text.includes(secret)));
  expect(secrets.every((secret) => secret.length > 8)).toBe(true);
  expect(found).toEqual([]);
  process.stdout.write(
    `canaries: ${secrets.length} secrets planted, ${searched[0]?.length ?? 0} characters of database searched, 0 found\n`,
  );
});
