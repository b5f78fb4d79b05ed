/**
 * How fast people sign in, beside the bare argon2id of the same cost in the same run; and whether the time of an answer
 * tells an address that has an account from one that has none: pairs of wrong sign-ins, in an order drawn for each pair.
 *
 *   node bench/sign-in.ts [--json]     `--json` also writes bench/results/sign-in.json
 *
 * The product runs in its own profile, as a process of its own, with its limits on: an account locks after five wrong
 * passwords, so that the pairs are spread over many accounts and each is asked four times at most.
 */
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { createSeededRandom } from '@holdfast/foundation/random';
import { hardened } from '../apps/server/src/features/identity/options.ts';
import { createPasswordHasher } from '../apps/server/src/features/identity/password-hasher.ts';
import { owner, serveApi } from './product/serve-api.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const PAIRS = 2_000;
const PER_ACCOUNT = 4;
const ROUNDS = 3;
const SECONDS = 5;
const AT_ONCE = 4;

async function post(address: string, call: string, body: object): Promise<number> {
  const answer = await fetch(`${address}/apollo/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await answer.text();
  return answer.status;
}

/** How long one wrong sign-in takes, in milliseconds. */
async function timed(address: string, email: string): Promise<number> {
  const start = performance.now();
  const status = await post(address, 'login', { email, password: 'Wrong-Password-2026!' });
  const took = performance.now() - start;
  if (status !== 401) throw new Error(`A wrong sign-in answered ${status}.`);
  return took;
}

const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);
const at = (values: readonly number[], share: number): number => sorted(values)[Math.floor(share * (values.length - 1))] ?? 0;
/** The mean without the slowest and the fastest twentieth: what a guesser would look at, free of the machine's hiccups. */
function trimmedMean(values: readonly number[]): number {
  const cut = Math.floor(values.length / 20);
  const kept = sorted(values).slice(cut, values.length - cut);
  return kept.reduce((sum, value) => sum + value, 0) / kept.length;
}

interface Timing {
  readonly known: number[];
  readonly unknown: number[];
}

async function measurePairs(address: string): Promise<Timing> {
  const random = createSeededRandom(2026);
  const accounts = PAIRS / PER_ACCOUNT;
  for (let index = 0; index < accounts; index += 1) {
    const status = await post(address, 'register', { email: `known${index}@example.com`, password: owner.password });
    if (status !== 200) throw new Error(`Registering answered ${status}.`);
  }
  const times: Timing = { known: [], unknown: [] };
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const order = random.below(2) === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
    for (const kind of order) times[kind].push(await timed(address, `${kind}${pair % accounts}@example.com`));
  }
  return times;
}

/** How often per second something is done, by a few at once. */
async function rate(work: () => Promise<void>): Promise<number> {
  let done = 0;
  const end = performance.now() + SECONDS * 1_000;
  const one = async (): Promise<void> => {
    while (performance.now() < end) {
      await work();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return done / SECONDS;
}

async function measureRates(address: string): Promise<{ product: number[]; bare: number[]; latencies: number[] }> {
  const hasher = createPasswordHasher(hardened.hashCost);
  const stored = await hasher.hash(owner.password);
  const [product, bare, latencies]: number[][] = [[], [], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare?.push(await rate(async () => void (await hasher.verify(stored, owner.password))));
    const signIn = async (): Promise<void> => {
      const start = performance.now();
      const status = await post(address, 'login', owner);
      if (status !== 200) throw new Error(`Signing in answered ${status}.`);
      latencies?.push(performance.now() - start);
    };
    product?.push(await rate(signIn));
  }
  return { product: product ?? [], bare: bare ?? [], latencies: latencies ?? [] };
}

const { address, ...served } = await serveApi({ HOLDFAST_REGISTRATION: 'open' });
try {
  const rates = await measureRates(address);
  const { known, unknown } = await measurePairs(address);
  const ratio = (of: (values: readonly number[]) => number): number => of(known) / of(unknown);
  const report = {
    machine: `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`,
    signIns: {
      perSecond: at(rates.product, 0.5),
      bareArgon2PerSecond: at(rates.bare, 0.5),
      ratio: at(rates.product, 0.5) / at(rates.bare, 0.5),
    },
    signInMs: { p50: at(rates.latencies, 0.5), p99: at(rates.latencies, 0.99) },
    pairs: PAIRS,
    knownMs: { p50: at(known, 0.5), mean: trimmedMean(known), p95: at(known, 0.95) },
    unknownMs: { p50: at(unknown, 0.5), mean: trimmedMean(unknown), p95: at(unknown, 0.95) },
    knownByUnknown: { p50: ratio((values) => at(values, 0.5)), mean: ratio(trimmedMean) },
  };
  const text = JSON.stringify(report, (_, value: unknown) => (typeof value === 'number' ? Math.round(value * 1_000) / 1_000 : value), 2);
  console.log(text);
  if (process.argv.includes('--json')) writeFileSync(path.join(root, 'bench/results/sign-in.json'), `${text}\n`);
} finally {
  await served.stop();
}
