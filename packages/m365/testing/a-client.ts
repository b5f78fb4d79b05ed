import { createIds } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { createSeededRandom } from '@holdfast/foundation/random';
import { Secret } from '@holdfast/foundation/secrets';
import { createFakeClock, type FakeClock } from '@holdfast/foundation/testing/fake-clock';
import { createGraphClientOver } from '../src/create-graph-client.ts';
import { createMemoryBudgets } from '../src/client/budget/memory-budgets.ts';
import type { BudgetPort } from '../src/client/budget/budget-port.ts';
import type { GraphClient, GraphClientOptions } from '../src/graph-client.ts';
import { createScriptedTransport, type Respond, type ScriptedTransport } from './scripted-transport.ts';

export interface ClientUnderTest {
  readonly client: GraphClient;
  readonly clock: FakeClock;
  readonly budgets: BudgetPort;
  readonly transport: ScriptedTransport;
  /** Waits for `work` while time passes as fast as it can. */
  readonly run: <T>(work: Promise<T>) => Promise<T>;
}

/** Everything a client is given besides its transport. */
export function someOptions(clock: FakeClock, seed: number): GraphClientOptions {
  const random = createSeededRandom(seed);
  const ids = createIds(clock, random);
  return {
    tenantId: 'aaaaaaaa-0000-4000-8000-000000000001',
    credential: { kind: 'secret', clientId: 'bbbbbbbb-0000-4000-8000-000000000001', clientSecret: new Secret('s') },
    budgets: createMemoryBudgets({ clock, ids }),
    clock,
    random,
    ids,
    logger: silentLogger,
    userAgentVersion: '1.0.0',
  };
}

/** Lets time pass until `work` has settled. */
export async function passTime<T>(clock: FakeClock, work: Promise<T>): Promise<T> {
  let isDone = false;
  const finished = work.finally(() => {
    isDone = true;
  });
  finished.catch(() => undefined);
  for (let step = 0; !isDone; step += 1) await clock.advance(step < 20 ? 100 : 20_000);
  return finished;
}

/** A client over a script, on a clock that moves only in `run`. */
export function aClient(
  respond: Respond,
  options: Partial<GraphClientOptions> & {
    readonly roles?: readonly string[];
    readonly tokenSeconds?: number;
    readonly seed?: number;
  } = {},
): ClientUnderTest {
  const clock = (options.clock as FakeClock | undefined) ?? createFakeClock();
  const { roles, tokenSeconds, seed = 1, ...given } = options;
  const all = { ...someOptions(clock, seed), ...given };
  const transport = createScriptedTransport({
    clock,
    respond,
    ...(roles === undefined ? {} : { roles }),
    ...(tokenSeconds === undefined ? {} : { tokenSeconds }),
  });
  const client = createGraphClientOver(all, transport);
  return { client, clock, budgets: all.budgets, transport, run: (work) => passTime(clock, work) };
}
