import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import { queues, queueSchema } from './queues.ts';

/**
 * Installs or upgrades the queue library's tables as the owner, declares our queues and lets the
 * application use them. Called by `migrate` under its lock.
 */
export async function installQueue(client: pg.Client, ownerUrl: string): Promise<void> {
  const boss = new PgBoss({ connectionString: ownerUrl, schema: queueSchema, max: 1, supervise: false, schedule: false, migrate: true });
  let failure: unknown;
  boss.on('error', (error) => (failure = error));
  await boss.start();
  try {
    for (const queue of queues) {
      const options = {
        policy: 'exclusive',
        heartbeatSeconds: queue.heartbeatSeconds,
        expireInSeconds: queue.expireInSeconds,
        retryLimit: queue.retryLimit,
        retryDelay: queue.retryDelaySeconds,
        notify: true,
      };
      if (!(await boss.getQueue(queue.name))) await boss.createQueue(queue.name, options);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
  if (failure) throw failure as Error;
  await client.query(`grant usage on schema ${queueSchema} to holdfast_application`);
  await client.query(`grant select, insert, update, delete on all tables in schema ${queueSchema} to holdfast_application`);
  await client.query(`grant usage on all sequences in schema ${queueSchema} to holdfast_application`);
  await client.query(`grant execute on all functions in schema ${queueSchema} to holdfast_application`);
}
