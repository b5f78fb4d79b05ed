import type { Clock } from '@holdfast/foundation/clock';
import type { GraphClient } from '@holdfast/m365';
import { startSimulator, type Recipe, type Simulator } from '@holdfast/m365-simulator';
import { clientOf, mailboxOf, membersOf, openWorkshop } from './ground.ts';
import { round } from './measure.ts';

/** What Microsoft permits an app in a mailbox: so many requests in so long. */
const LEGAL = { requests: 10_000, seconds: 600 };
/**
 * How far the simulated time goes on at each turn of the event loop's timers. Service, client and this timer share one
 * loop, so that a busy machine slows all of them and the figures stay.
 */
const STEP_MS = 4;
/** A sleep so long is a wait for the budget; so many turns without a request say that nobody has anything else to do. */
const LONG_SLEEP_MS = 5_000;
const IDLE_TURNS = 50;
const IDLE_STEP_MS = 1_000;
/** Longer than any answer takes: between two requests so far apart the budget was used up. */
const PAUSE_MS = 60_000;

const oneMailbox = (messagesPerUser: number): Recipe => ({
  name: 'ceiling',
  displayName: 'Ceiling',
  label: 'ceiling',
  people: { members: 1, guests: 0, sharedMailboxes: 0, rooms: 0, germanShare: 0 },
  mail: { messagesPerUser, isUniform: true, years: 5 },
  eventsPerUser: 0,
  contactsPerUser: 0,
  tasksPerUser: 0,
  drives: { filesPerUser: 0, medianBytes: 1, largestBytes: 1, foldersPerUser: 0 },
  sites: [],
  teams: [],
  chats: { oneOnOne: 0, group: 0, messagesPerChat: 0 },
  hasOddities: false,
});

/** A clock that says how many wait for long: then, and only then, time may be skipped. */
function watchSleepers(clock: Simulator['clock']): { readonly clock: Clock; readonly sleepers: () => number } {
  let count = 0;
  const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    const isLong = ms >= LONG_SLEEP_MS;
    if (isLong) count += 1;
    try {
      await clock.sleep(ms, signal);
    } finally {
      if (isLong) count -= 1;
    }
  };
  return { clock: { ...clock, sleep }, sleepers: () => count };
}

/** Moves the time of service and client together: steadily while there is work, faster while all wait. */
function pump(
  clock: Simulator['clock'],
  graph: GraphClient,
  options: { readonly sleepers: () => number; readonly seen: (requests: number, nowMs: number) => void },
): () => void {
  let requests = 0;
  let idle = 0;
  const timer = setInterval(() => {
    const now = graph.statistics().requests;
    idle = now === requests ? idle + 1 : 0;
    requests = now;
    options.seen(requests, clock.nowMs());
    clock.advance(idle > IDLE_TURNS && options.sleepers() > 0 ? IDLE_STEP_MS : STEP_MS);
  }, 2);
  return () => clearInterval(timer);
}

/** A backup of one large mailbox within the service's limits: its lasting pace beside the pace that is allowed. */
export async function benchCeiling(messages: number) {
  const simulator = await startSimulator({
    recipes: [oneMailbox(messages)],
    limits: 'real',
    clock: 'virtual',
    isValidating: false,
  });
  const { clock, sleepers } = watchSleepers(simulator.clock);
  const graph = clientOf(simulator, clock);
  const workshop = await openWorkshop(graph, simulator.clock);
  const times: { readonly requests: number; readonly nowMs: number }[] = [];
  const seen = (requests: number, nowMs: number): void => {
    if (times.at(-1)?.requests !== requests) times.push({ requests, nowMs });
  };
  const stop = pump(simulator.clock, graph, { sleepers, seen });
  try {
    const [user = ''] = await membersOf(graph, 1);
    const began = graph.statistics().requests;
    const startMs = simulator.clock.nowMs();
    await workshop.backUp(mailboxOf(user));
    const { throttled, requests } = graph.statistics();
    // The budget is used up in bursts with pauses between; from one burst's begin to another's the pace is that of a day.
    const begins = times.filter(({ nowMs }, at) => nowMs - (times[at - 1]?.nowMs ?? 0) > PAUSE_MS);
    const [from, to] = [begins.at(0), begins.at(-1)];
    if (!from || !to || begins.length < 2) throw new Error('There were too few messages to reach the limit twice.');
    const perSecond = (to.requests - from.requests) / ((to.nowMs - from.nowMs) / 1_000);
    const legalPerSecond = LEGAL.requests / LEGAL.seconds;
    return {
      messages,
      requests: requests - began,
      bursts: begins.length,
      simulatedMinutes: round((simulator.clock.nowMs() - startMs) / 60_000, 1),
      requestsPerSecond: round(perSecond),
      legalPerSecond: round(legalPerSecond),
      share: round(perSecond / legalPerSecond, 3),
      throttled,
    };
  } finally {
    stop();
    await workshop.close();
    await graph.close();
    await simulator.close();
  }
}
