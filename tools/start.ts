/**
 * `npm start`: the whole product on an embedded PostgreSQL, with a simulated Microsoft 365 beside it and
 * one organisation to try at once. `--empty` starts without the simulator and without data: the first
 * page then asks for the owner. `--watch` restarts the server when its sources change.
 */
import path from 'node:path';
import { askedToEnd } from '../packages/foundation/src/ending.ts';
import { buildPortal } from './build-portal.ts';
import { archiveMail, demoOwner, importMail, setUpDemo } from './demo.ts';
import { journalDemo } from './journaled-mail.ts';
import { firstMailBackup, loseMail } from './lost-mail.ts';
import { startProduct, type Product } from './product.ts';
import { readableLine } from './readable-line.ts';
import { root } from './run.ts';

const dataDir = path.resolve(root, process.env['HOLDFAST_DATA_DIR'] ?? '.holdfast');
const isEmpty = process.argv.includes('--empty');

/** Without its demo data the product runs all the same: what went wrong is said, and the pages show how to go on. */
async function trySetUp({ address, simulator }: Product): Promise<void> {
  const tenant = simulator?.tenants[0];
  if (!tenant) return;
  try {
    await setUpDemo(address, tenant, path.join(dataDir, 'vaults'));
  } catch (error) {
    console.error(`The demo data could not be set up: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Contoso journals its mail from now on. The rule is told the receiver's port at each start. */
async function tryJournal({ address, simulator }: Product, signal: AbortSignal): Promise<void> {
  const tenant = simulator?.tenants[0];
  if (!simulator || !tenant) return;
  try {
    await journalDemo(address, { admin: simulator.admin, tenantId: tenant.tenantId }, signal);
  } catch (error) {
    if (!signal.aborted) console.error(`No mail is journaled: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Something to keep and something to get back: once the first backup has saved the mail it is archived, and somebody deletes one for good. */
async function tryLoseMail({ address, simulator }: Product, signal: AbortSignal): Promise<void> {
  const tenant = simulator?.tenants[0];
  if (!simulator || !tenant) return;
  try {
    if (!(await firstMailBackup(address, signal))) return;
    await archiveMail(address);
    await importMail(address);
    const { person, folder, subject } = await loseMail({ admin: simulator.admin, tenantId: tenant.tenantId });
    console.log(
      `\n${person} has just deleted the mail “${subject}” from ${folder} for good. Get it back: ${address}/backup-and-restore/restore\n`,
    );
  } catch (error) {
    if (!signal.aborted) console.error(`No mail was deleted: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function greet({ address }: Product): void {
  console.log(`\nHoldfast is ready: ${address}`);
  if (!isEmpty) {
    console.log(`Sign in as ${demoOwner.email} with the password ${demoOwner.password}`);
    console.log('Contoso is a simulated Microsoft 365 tenant that is backed up while you look.');
  }
  console.log('Ctrl-C ends everything.\n');
}

await buildPortal();
const starting = startProduct({
  dataDir,
  port: process.env['HOLDFAST_PORT'] ?? '8080',
  withSimulator: !isEmpty,
  isWatching: process.argv.includes('--watch'),
  onOutput: (line) => console.log(process.stdout.isTTY ? readableLine(line) : line),
});

let isStopping = false;
const stopping = new AbortController();

async function stopWhenAsked(): Promise<never> {
  await askedToEnd();
  isStopping = true;
  stopping.abort();
  // Asked again while it stops: it is stopping already.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  try {
    const product = await starting;
    await product.stop();
  } finally {
    process.exit(0);
  }
}

void stopWhenAsked();

const product = await starting.catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
await trySetUp(product);
greet(product);
// One after the other: the mail that is lost is one that the first backup has, and journaled mail keeps arriving.
void tryLoseMail(product, stopping.signal).then(() => tryJournal(product, stopping.signal));
const code = await product.ended;
if (!isStopping) {
  await product.stop();
  process.exit(code);
}
