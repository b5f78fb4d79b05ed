import { expect } from 'vitest';
import { hardenedSuite, password } from '../testing/hardened-suite.ts';
import { digitsIn } from '../testing/reading.ts';

/** Mass guessing of mailed codes. */
const { app, hardenedCase, owner } = hardenedSuite(import.meta.url);

hardenedCase(
  'H14 ten thousand guesses of codes, the right ones among them once a challenge is spent, open nothing: fifty a day are looked at',
  async () => {
    const made = await app({ override: { secondFactor: 'required' } });
    const [ACCOUNTS, CHALLENGES, GUESSES] = [40, 10, 25];
    const emails: string[] = [];
    for (let index = 0; index < ACCOUNTS; index += 1) emails.push(await owner(made));
    const signInOf = (email: string, index: number) =>
      made.send('/api/auth/signin', { body: { email, password } }, `192.0.2.${index % 100}`);
    const statuses = new Map<number, number>();
    for (let round = 0; round < CHALLENGES; round += 1) {
      const challenges = await Promise.all(
        emails.map(async (email, index) => (await signInOf(email, index)).json['challengeId'] as string),
      );
      await Promise.all(challenges.map((challengeId) => made.send('/api/auth/verify-user', { body: { challengeId, channel: 'email' } })));
      const mails = (await made.mails()).slice(-ACCOUNTS);
      for (let guess = 0; guess < GUESSES; guess += 1) {
        const answers = await Promise.all(
          challenges.map((challengeId, index) => {
            const right = digitsIn(mails.find((mail) => mail.to === emails[index]));
            const wrong = String((Number(right) + 1 + guess) % 1_000_000).padStart(6, '0');
            return made.send('/api/auth/verify-code', { body: { challengeId, code: guess < GUESSES - 1 ? wrong : right } });
          }),
        );
        for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      await made.clock.advance(6 * 60_000);
    }
    expect(Object.fromEntries(statuses)).toEqual({ 400: ACCOUNTS * CHALLENGES * 5, 401: ACCOUNTS * CHALLENGES * (GUESSES - 5) });
    const [email = ''] = emails;
    expect((await signInOf(email, 0)).status).toBe(401);
    await made.clock.advance(86_400_000);
    expect((await signInOf(email, 0)).json['verificationRequired']).toBe(true);
    process.stdout.write(`guessing codes: ${ACCOUNTS * CHALLENGES * GUESSES} guesses, 0 opened\n`);
  },
  240_000,
);
