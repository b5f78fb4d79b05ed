import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { migrate, openDatabase, organisationId, startEmbedded, type Database, type Scope } from '@holdfast/database';
import { silentLogger } from '@holdfast/foundation/logger';
import { createApi, type Api } from '../../tools/api-client.ts';
import { demoOwner } from '../../tools/demo.ts';
import { makeGround, pause, type Ground } from '../archive/ground.ts';
import { openAdministrator, type Administrator } from '../catalog/fill.ts';

/** The whole product over a PostgreSQL that the benchmark can fill, with a second person who decides. */
export interface RecordsGround extends Ground {
  readonly administrator: Administrator;
  readonly database: Database;
  readonly scope: Scope;
  readonly tenantId: string;
  readonly second: Api;
  /** Where imports are read from. */
  readonly imports: string;
  /** Ends the product; the database goes on. */
  stopProduct(): Promise<void>;
}

const SECOND = 'second@contoso.example';

/** Somebody with the password of the owner, in their organisation. */
async function addSecond({ query }: Administrator): Promise<void> {
  // Somebody who is new decides nothing yet.
  const since = `now() - interval '1 year'`;
  const change = `jsonb_build_object('id', gen_random_uuid(), 'email', '${SECOND}', 'normalised_email', upper('${SECOND}'), 'user_name', '${SECOND}', 'created_at', ${since})`;
  await query(
    `insert into accounts select (jsonb_populate_record(account, ${change})).* from accounts account where email = '${demoOwner.email}'`,
  );
  await query(`insert into memberships select (jsonb_populate_record(membership, jsonb_build_object('account_id',
    (select id from accounts where email = '${SECOND}'), 'role', 'administrator', 'joined_at', ${since}, 'entitled_since', ${since}))).* from memberships membership`);
}

/** Waits until the words of everything have been read: nothing else works beside what is measured. */
export async function settled({ administrator: { query } }: RecordsGround): Promise<void> {
  for (;;) {
    const [unread] = await query(`select count(*)::int as count from catalog_items item where kind = 'message' and not exists (select from
      search_items known where known.source_id = item.source_id and known.item_key = item.item_key)`);
    if (unread?.['count'] === 0) return;
    await pause();
  }
}

export async function makeRecordsGround(
  folder: string,
  size: { readonly mailboxes: number; readonly messages: number },
): Promise<RecordsGround> {
  const postgres = await startEmbedded({ dataFolder: path.join(folder, 'postgres'), logger: silentLogger, as: 'keeper' });
  const imports = path.join(folder, 'imports');
  mkdirSync(imports);
  let ground: Ground | undefined;
  try {
    await migrate(postgres.ownerUrl);
    ground = await makeGround(folder, size, {
      HOLDFAST_DATABASE_URL: postgres.ownerUrl,
      HOLDFAST_DATABASE_APPLICATION_URL: postgres.applicationUrl,
      HOLDFAST_IMPORT_ROOTS: imports,
    });
    const administrator = await openAdministrator(postgres);
    const database = openDatabase({ url: postgres.applicationUrl, role: 'holdfast_application', poolSize: 4, logger: silentLogger });
    await addSecond(administrator);
    const [tenant] = await administrator.query('select organisation_id, realm, tenant_id from tenants');
    const product = ground;
    let isRunning = true;
    const stopProduct = async (): Promise<void> => {
      if (isRunning) await product.stop();
      isRunning = false;
    };
    return {
      ...ground,
      administrator,
      database,
      imports,
      scope: { organisationId: organisationId(String(tenant?.['organisation_id'])), realm: 'production' },
      tenantId: String(tenant?.['tenant_id']),
      second: await createApi(ground.address, { email: SECOND, password: demoOwner.password }),
      stopProduct,
      async stop() {
        await stopProduct();
        await database.close();
        await administrator.close();
        await postgres.stop();
      },
    };
  } catch (error) {
    await ground?.stop();
    await postgres.stop();
    throw error;
  }
}
