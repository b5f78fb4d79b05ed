import type { Database } from '@holdfast/database';
import { sql } from 'kysely';
import type { Place, Sealing } from '../keys/sealing.ts';
import type { IdempotencyStore } from './idempotency.ts';

/** Keys are forgotten after a day; one whose request died may be claimed again after ten minutes. */
const KEEP = sql`interval '24 hours'`;
const ABANDONED = sql`interval '10 minutes'`;

function placeOf(key: string): Place {
  return { table: 'idempotency_keys', column: 'answer', row: key };
}

/** Remembers answers by key in PostgreSQL, for all processes. An answer may hold a link or a token, so it is kept sealed. */
export function createIdempotencyStore(database: Database, sealing: Pick<Sealing, 'sealOwn' | 'openOwn'>): IdempotencyStore {
  const open = async (key: string, answer: string): Promise<unknown> =>
    JSON.parse(await sealing.openOwn(Buffer.from(answer, 'base64'), placeOf(key))) as unknown;
  return Object.freeze<IdempotencyStore>({
    claim(key, fingerprint) {
      return database.installation(async (tx) => {
        await tx
          .deleteFrom('idempotency_keys')
          .where('key', '=', key)
          .where(sql<boolean>`created_at < now() - ${KEEP} or (finished_at is null and created_at < now() - ${ABANDONED})`)
          .execute();
        const made = await tx
          .insertInto('idempotency_keys')
          .values({ key, fingerprint, answer: null })
          .onConflict((conflict) => conflict.doNothing())
          .returning('key')
          .executeTakeFirst();
        if (made) return { state: 'fresh' };
        const found = await tx.selectFrom('idempotency_keys').selectAll().where('key', '=', key).executeTakeFirst();
        if (!found || found.fingerprint !== fingerprint) return { state: 'other' };
        if (!found.finished_at) return { state: 'running' };
        return { state: 'done', answer: found.answer === null ? null : await open(key, found.answer) };
      });
    },
    async finish(key, answer) {
      const sealed = await sealing.sealOwn(JSON.stringify(answer), placeOf(key));
      await database.installation((tx) =>
        tx
          .updateTable('idempotency_keys')
          .set({ answer: sealed.toString('base64'), finished_at: sql`now()` })
          .where('key', '=', key)
          .execute(),
      );
    },
    async release(key) {
      await database.installation((tx) =>
        tx.deleteFrom('idempotency_keys').where('key', '=', key).where('finished_at', 'is', null).execute(),
      );
    },
  });
}
