import { describe, expect, it } from 'vitest';
import { chatsWorkload } from '../chats/chats-workload.ts';
import { createSimulatorClock, type SimulatorClock } from '../clock/simulator-clock.ts';
import { drivesWorkload } from '../drives/drives-workload.ts';
import type { RouteEntry } from '../http/route.ts';
import { mailWorkload } from '../mail/mail-workload.ts';
import { recipeNamed } from '../recipes/recipes.ts';
import { createTenant, DEFAULT_EPOCH_MS } from '../state/create-tenant.ts';
import type { Workload } from '../http/workload.ts';
import { teamsWorkload } from '../teams/teams-workload.ts';
import type { Counted } from './buckets.ts';
import { createLimiter } from './limiter.ts';

const GIGABYTE = 1024 ** 3;
const HOUR_MS = 3_600_000;

function routeOf(method: string): RouteEntry {
  const found = drivesWorkload.routes.find((route) => route.host === 'sharepoint' && route.method === method);
  if (!found) throw new Error(`there is no ${method} of file content`);
  return found;
}

function aCounted(clock: SimulatorClock, method: 'GET' | 'PUT', bytes = 0): Counted {
  const tenant = createTenant({ recipe: recipeNamed('tiny'), seed: 1, clock });
  const headers = bytes === 0 ? {} : { 'content-length': String(bytes) };
  return { tenant, appId: 'app', route: routeOf(method), method, params: [], query: '', headers };
}

describe('the bytes of files in an hour', () => {
  it('are refused beyond 400 GB out, until the hour has passed', () => {
    const clock = createSimulatorClock('virtual', DEFAULT_EPOCH_MS);
    const limiter = createLimiter(clock, 'real');
    const download = aCounted(clock, 'GET');
    limiter.admit(download).leave(300 * GIGABYTE);
    limiter.admit(download).leave(101 * GIGABYTE);
    expect(() => limiter.admit(download)).toThrow(/over its limit/u);
    limiter.admit(aCounted(clock, 'PUT', 50 * GIGABYTE)).leave(0);
    clock.advance(HOUR_MS + 1);
    limiter.admit(download).leave(1);
  });

  it('are refused beyond 400 GB in, before they are taken', () => {
    const clock = createSimulatorClock('virtual', DEFAULT_EPOCH_MS);
    const limiter = createLimiter(clock, 'real');
    limiter.admit(aCounted(clock, 'PUT', 399 * GIGABYTE)).leave(0);
    expect(() => limiter.admit(aCounted(clock, 'PUT', 2 * GIGABYTE))).toThrow(/over its limit/u);
    limiter.admit(aCounted(clock, 'GET')).leave(0);
  });
});

describe('a limit that is reached', () => {
  function countedOn(clock: SimulatorClock, workload: Workload, method: string, path: string): Counted {
    const tenant = createTenant({ recipe: recipeNamed('tiny'), seed: 1, clock });
    const route = workload.routes.find((one) => one.method === method && one.path === path);
    if (!route) throw new Error(`there is no ${method} ${path}`);
    return { tenant, appId: 'app', route, method, params: ['a', 'b'], query: '', headers: {} };
  }

  it.each([
    [mailWorkload, 'GET', '/users/{id}/messages/{id}', 'ApplicationThrottled'],
    [drivesWorkload, 'GET', '/drives/{id}/root', 'activityLimitReached'],
    [teamsWorkload, 'GET', '/teams/{id}', 'TooManyRequests'],
  ] as const)('answers with the code of its workload', (workload, method, path, code) => {
    const clock = createSimulatorClock('virtual', DEFAULT_EPOCH_MS);
    const limiter = createLimiter(clock, 'real');
    const counted = countedOn(clock, workload, method, path);
    const refused = (): unknown => {
      for (let sent = 0; sent < 20_000; sent += 1) limiter.admit(counted).leave(0);
      return undefined;
    };
    expect(refused).toThrow(expect.objectContaining({ code, status: 429 }));
  });

  it('of Teams lets bursts pass, and 83 % of its rate in a minute', () => {
    const clock = createSimulatorClock('virtual', DEFAULT_EPOCH_MS);
    const limiter = createLimiter(clock, 'real');
    const counted = countedOn(clock, chatsWorkload, 'POST', '/chats');
    let passed = 0;
    expect(() => {
      for (let second = 0; second < 60; second += 1) {
        for (let sent = 0; sent < 20; sent += 1) {
          limiter.admit(counted).leave(0);
          passed += 1;
        }
        clock.advance(1000);
      }
    }).toThrow(/over its limit/u);
    expect(passed).toBe(996);
  });
});
