import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aClient } from '../testing/a-client.ts';
import { runWithFaults } from '../testing/fault-run.ts';

const unhandled: unknown[] = [];
const note = (reason: unknown): void => {
  unhandled.push(reason);
};
beforeAll(() => {
  process.on('unhandledRejection', note);
});
afterAll(() => {
  process.off('unhandledRejection', note);
});

describe('two thousand backups over a service that fails at random', () => {
  it('end complete or say what is missing, and send nothing before they may', { timeout: 300_000 }, async () => {
    const totals = { requests: 0, stored: 0, listed: 0 };
    for (let seed = 1; seed <= 2_000; seed += 1) {
      const run = await runWithFaults(seed);
      expect(run.complaints, `seed ${seed}`).toEqual([]);
      totals.requests += run.requests;
      totals.stored += run.stored;
      totals.listed += run.listed;
    }
    expect(unhandled).toEqual([]);
    expect(totals.stored).toBeGreaterThan(20_000);
    expect(totals.requests).toBeGreaterThan(totals.stored);
  });
});

describe('budgets over hours of work', () => {
  /** The most that was spent in any span of `windowMs`. */
  function peak(times: readonly number[], windowMs: number): number {
    let most = 0;
    let from = 0;
    for (const [index, at] of times.entries()) {
      while ((times[from] ?? at) <= at - windowMs) from += 1;
      most = Math.max(most, index - from + 1);
    }
    return most;
  }

  it('use at least 85 % of what SharePoint permits and never more', async () => {
    const { client, run, transport } = aClient(() => ({ json: { id: 'i' } }));
    await run(Promise.all(Array.from({ length: 9_000 }, (_, index) => client.drives.item({ driveId: 'd', itemId: `i${index}` }))));
    const times = transport.requests.map((request) => request.atMs);
    expect(peak(times, 60_000)).toBeLessThanOrEqual(1_250);
    const minutes = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 60_000;
    expect((9_000 - 1_250) / minutes).toBeGreaterThanOrEqual(0.85 * 1_250);
  });

  it('read a channel once a second, a team four times, and no family more often than it may be', async () => {
    const { client, run, transport } = aClient(() => ({ json: { id: 'm' } }));
    const reads = Array.from({ length: 1_500 }, (_, index) =>
      client.teams.message({ teamId: `t${index % 10}`, channelId: `c${index % 50}`, messageId: `m${index}` }),
    );
    await run(Promise.all(reads));
    const timesOf = (part: string): number[] =>
      transport.requests.filter((request) => request.line.includes(part)).map((request) => request.atMs);
    expect(peak(timesOf('/teams/'), 1_000)).toBeLessThanOrEqual(20);
    for (let team = 0; team < 10; team += 1) expect(peak(timesOf(`/teams/t${team}/`), 1_000)).toBeLessThanOrEqual(4);
    for (let channel = 0; channel < 50; channel += 1) expect(peak(timesOf(`/channels/c${channel}/`), 1_000)).toBeLessThanOrEqual(1);
    const seconds = ((timesOf('/teams/').at(-1) ?? 0) - (timesOf('/teams/')[0] ?? 0)) / 1_000;
    // Microsoft permits 83 % of a rate in the long run, and most of that is used.
    expect(1_480 / seconds).toBeGreaterThanOrEqual(0.9 * 0.83 * 20);
    expect(peak(timesOf('/teams/'), 60_000)).toBeLessThanOrEqual(0.83 * 20 * 60);
  });
});
