/**
 * What a reader waits for at a processor slowed down four times: the largest paint of the sign-in page and of the overview
 * with a cold cache, how far the page jumps while it loads, the time from a click or a key to the next frame, the bytes of
 * the first route, and the first 10,000 rows of a list of 50,000 people, scrolled 30 rows a frame.
 *
 *   node bench/portal.ts [--json] [--only pages|list]     `--json` also writes bench/results/portal.json, where a part that
 *                                                         was not measured stays as it was
 *
 * The peer is a page without any program: one heading as HTML from a bare server of Node, in the same browser at the same
 * speed. What is beyond it is ours.
 */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { createApi } from '../tools/api-client.ts';
import { buildPortal } from '../tools/build-portal.ts';
import { launchChromium } from '../tools/chromium.ts';
import { connectDemo, demoOwner, setUpDemo, type SimulatedTenant } from '../tools/demo.ts';
import { startProduct, type Product } from '../tools/product.ts';
import { scrollRows, type Scrolled } from './portal/scroll.ts';
import { durationOf, openSlowPage, paintOf, signInOnce, SLOWER } from './portal/slow-page.ts';

const ROUNDS = 5;
const PEOPLE = 50_000;
/** As many as anybody scrolls through who could search; a longer way is more of the same. */
const ROWS = 10_000;
const crowd = ['--users', String(PEOPLE), '--messages-per-user', '0'];

interface Listed<Item> {
  readonly items: readonly Item[];
}

const median = (values: readonly number[]): number => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;

/** Figures of several rounds by their names, each the median. */
function medians(rounds: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const names = Object.keys(rounds[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, Number(median(rounds.map((one) => one[name] ?? 0)).toFixed(3))]));
}

async function serveEmpty(): Promise<{ readonly address: string; readonly close: () => void }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end('<!doctype html><html lang="en"><title>Empty</title><h1>Overview</h1></html>');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

interface Running {
  readonly product: Product;
  readonly stop: () => Promise<void>;
}

type SetUp = (address: string, tenant: SimulatedTenant, vaults: string) => Promise<unknown>;

/** A product with Contoso, or with an organisation of another size. */
async function start(simulatorArgs: readonly string[], setUp: SetUp): Promise<Running> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'holdfast-bench-'));
  const product = await startProduct({ dataDir, port: '0', withSimulator: true, simulatorArgs, onOutput: () => undefined });
  const stop = async (): Promise<void> => {
    await product.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const tenant = product.simulator?.tenants[0];
    if (!tenant) throw new Error('The simulator has no tenant.');
    await setUp(product.address, tenant, path.join(dataDir, 'vaults'));
    return { product, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Measures a product, and ends it whatever came of that. */
async function during<Measured>(starting: Promise<Running>, measure: (product: Product) => Promise<Measured>): Promise<Measured> {
  const { product, stop } = await starting;
  try {
    return await measure(product);
  } finally {
    await stop();
  }
}

interface GoingRun {
  readonly status: string;
  readonly workload: string;
  readonly jobId: string;
}
const going = ['pending', 'running', 'cancelling'];

/**
 * The first backups take the processor as well: what is measured begins when they have ended. That of Teams takes little of it
 * and minutes, because a channel is asked once a second: it is stopped when it is the last.
 */
async function whenCalm({ address }: Product): Promise<void> {
  const api = await createApi(address, demoOwner);
  const [tenant] = (await api.get<Listed<{ readonly tenantId: string }>>('/apollo/api/Tenants')).items;
  const of = `/apollo/api/${tenant?.tenantId ?? ''}`;
  for (;;) {
    const all = (await api.get<Listed<GoingRun>>(`${of}/monitoring?limit=20`)).items;
    const runs = all.filter(({ status }) => going.includes(status));
    if (all.length > 0 && runs.length === 0) return;
    const [last] = runs;
    if (runs.length === 1 && last?.workload === 'teams' && last.status !== 'cancelling')
      await api.post(`${of}/jobs/${last.jobId}/stop`, {});
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** The scripts that the sign-in page loads, as a browser without brotli would get them. */
async function bytesOfFirstRoute(browser: Browser, address: string): Promise<number> {
  const page = await (await browser.newContext({ baseURL: address })).newPage();
  const scripts: string[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.endsWith('.js')) scripts.push(pathname);
  });
  await page.goto('/signin');
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  await page.context().close();
  const dist = path.join(import.meta.dirname, '../apps/portal/dist');
  const sizes = await Promise.all(scripts.map(async (script) => (await stat(path.join(dist, `${script}.gz`))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function paints(
  browser: Browser,
  addresses: { readonly product: string; readonly empty: string },
  kept: Awaited<ReturnType<typeof signInOnce>>,
) {
  const emptyPage = await openSlowPage(browser, addresses.empty);
  const empty = await paintOf(emptyPage, '/');
  await emptyPage.context().close();
  const visitor = await openSlowPage(browser, addresses.product);
  const first = await paintOf(visitor, '/signin');
  await visitor.context().close();
  const reader = await openSlowPage(browser, addresses.product, kept);
  const overview = await paintOf(reader, '/');
  await reader.context().close();
  return {
    emptyPageMs: empty.paint,
    signInMs: first.paint,
    signInShift: first.shift,
    overviewMs: overview.paint,
    overviewShift: overview.shift,
  };
}

/** What is done all day: each from the event to the next frame. */
async function deeds(page: Page): Promise<Record<string, number>> {
  await page.goto('/backup-and-restore/backup-jobs');
  const job = page.getByRole('button', { name: 'Mail every night', exact: true });
  await job.waitFor();
  const took: Record<string, number> = {};
  took['openJobMs'] = await durationOf(page, async () => await job.click());
  took['closeJobMs'] = await durationOf(page, async () => await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click());
  took['sortMs'] = await durationOf(page, async () => await page.getByRole('button', { name: 'Job name', exact: true }).click());
  took['typeMs'] = await durationOf(page, async () => await page.getByRole('searchbox').pressSequentially('mail', { delay: 80 }));
  took['goToMs'] = await durationOf(page, async () => await page.keyboard.press('Control+K'));
  took['escapeMs'] = await durationOf(page, async () => await page.keyboard.press('Escape'));
  took['newJobMs'] = await durationOf(page, async () => await page.getByRole('button', { name: 'New job' }).first().click());
  took['nextPageMs'] = await durationOf(page, async () => await page.getByRole('link', { name: 'Job monitor' }).first().click());
  return took;
}

/** The pages that are opened all day, each round with a cold cache. */
async function measurePages(product: Product) {
  await whenCalm(product);
  tell('the first backups have ended');
  const kept = await signInOnce(browser, product.address);
  const empty = await serveEmpty();
  const painted: Record<string, number>[] = [];
  const done: Record<string, number>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    painted.push(await paints(browser, { product: product.address, empty: empty.address }, kept));
    const page = await openSlowPage(browser, product.address, kept);
    done.push(await deeds(page));
    await page.context().close();
    tell(`round ${round + 1} of ${ROUNDS}`);
  }
  empty.close();
  const firstRouteBytes = await bytesOfFirstRoute(browser, product.address);
  return { firstRouteBytes, ...medians(painted), deeds: medians(done) };
}

async function measureList(product: Product): Promise<Scrolled> {
  tell(`${PEOPLE} people are there`);
  const page = await openSlowPage(browser, product.address, await signInOnce(browser, product.address));
  await page.goto('/backup-and-restore/on-demand');
  await page.getByRole('grid').getByRole('row').first().waitFor({ timeout: 120_000 });
  tell('the list is there');
  const scrolled = await scrollRows(page, ROWS);
  await page.context().close();
  return scrolled;
}

const resultFile = path.join(import.meta.dirname, 'results/portal.json');

/** What an earlier run found. */
async function earlier(): Promise<Record<string, unknown>> {
  const text = await readFile(resultFile, 'utf8').catch(() => '{}');
  return JSON.parse(text) as Record<string, unknown>;
}

const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined;
const began = performance.now();
const tell = (what: string): void => console.error(`${((performance.now() - began) / 1000).toFixed(0)} s: ${what}`);

await buildPortal();
const browser = await launchChromium();
try {
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? ''}, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}, processor of the page ${SLOWER} times slower`;
  // One after the other: each has the machine to itself, while it is set up and while it is looked at.
  const pages = only === 'list' ? {} : { machine, rounds: ROUNDS, ...(await during(start([], setUpDemo), measurePages)) };
  const list = only === 'pages' ? {} : { list: { machine, people: PEOPLE, ...(await during(start(crowd, connectDemo), measureList)) } };
  const { version } = JSON.parse(await readFile(path.join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string };
  const result = { ...(only === undefined ? {} : await earlier()), version, ...pages, ...list };
  console.log(JSON.stringify(result, null, 2));
  if (process.argv.includes('--json')) await writeFile(resultFile, `${JSON.stringify(result, null, 2)}\n`);
} finally {
  await browser.close();
}
