import { events } from '@holdfast/contract/events';
import { accounts } from '@holdfast/contract/identity';
import type { LiveEventName } from '@holdfast/contract/events';
import { liveSilenceMs } from '@holdfast/contract/limits';
import { useEffect } from 'react';
import { readEvents } from '../../api/event-stream.ts';
import { keyOf } from '../../api/queries.ts';
import { isRestriction } from '../../api/restriction.ts';
import { usePortal } from '../../api/portal-context.ts';
import type { Portal } from '../../api/portal.ts';

const retryMs = 3_000;
/** Events are applied at most twice a second. */
const applyMs = 500;
/** The reads of a page's start are made again once the line stands, but not while the page is being drawn. */
const catchUpMs = 2_000;

/** Which reads an event makes stale, by the path of their routes. */
const staleBy: Readonly<Record<LiveEventName, RegExp>> = {
  'run.progress': /\/monitoring|\/jobs/,
  'run.ended': /\/monitoring|\/jobs|\/reporting|\/dashboard|\/discovery/,
  'jobs.changed': /\/jobs|\/dashboard/,
  'task.changed': /\/Tenants|\/backup-config/,
  'tenants.changed': /\/Tenants|\/backup-config|\/locations/,
};

function isLiveEvent(name: string): name is LiveEventName {
  return Object.hasOwn(staleBy, name);
}

/** Follows the events of a tenant for as long as it is mounted; shows nothing itself. */
export function LiveEvents({ tenantId }: { readonly tenantId: string }): null {
  const portal = usePortal();
  useEffect(() => {
    const abort = new AbortController();
    void follow(portal, tenantId, abort.signal);
    return () => abort.abort();
  }, [portal, tenantId]);
  return null;
}

async function follow(portal: Portal, tenantId: string, signal: AbortSignal): Promise<void> {
  for (let readAgainMs = catchUpMs; !signal.aborted; readAgainMs = 0) {
    const silence = new AbortController();
    const ended = AbortSignal.any([signal, silence.signal]);
    const refusal = await listen(portal, tenantId, { signal: ended, onSilent: () => silence.abort(), readAgainMs }).catch(
      (error: unknown) => error,
    );
    if (signal.aborted) return;
    // The account says what is missing; once it is there, the page listens again.
    if (isRestriction(refusal)) return await portal.queries.invalidateQueries({ queryKey: keyOf(accounts.account) });
    portal.live.set('reconnecting');
    await new Promise<void>((resolve) => {
      portal.clock.after(retryMs, resolve);
    });
  }
}

interface Listening {
  readonly signal: AbortSignal;
  readonly onSilent: () => void;
  /** What happened while nobody listened is read again so long after the line stands. */
  readonly readAgainMs: number;
}

async function listen(portal: Portal, tenantId: string, { signal, onSilent, readAgainMs }: Listening): Promise<void> {
  const apply = createApplier(portal);
  let stopWaiting = portal.clock.after(liveSilenceMs, onSilent);
  let stopCatchingUp = (): void => undefined;
  try {
    const answer = await portal.client.open(events.stream, {
      params: { tenantId },
      quiet: true,
      background: true,
      signal,
      headers: { Accept: 'text/event-stream' },
    });
    if (answer.body === null) return;
    portal.live.set('connected');
    stopCatchingUp = portal.clock.after(readAgainMs, () => void portal.queries.invalidateQueries());
    for await (const { event } of readEvents(answer.body)) {
      stopWaiting();
      stopWaiting = portal.clock.after(liveSilenceMs, onSilent);
      portal.live.set('connected');
      if (isLiveEvent(event)) apply(event);
    }
  } finally {
    stopWaiting();
    stopCatchingUp();
  }
}

/** Gathers events and reads again what they name, at most twice a second. */
function createApplier(portal: Portal): (event: LiveEventName) => void {
  const waiting = new Set<LiveEventName>();
  const flush = (): void => {
    const patterns = [...waiting].map((event) => staleBy[event]);
    waiting.clear();
    void portal.queries.invalidateQueries({ predicate: (query) => patterns.some((pattern) => pattern.test(String(query.queryKey[0]))) });
  };
  return (event) => {
    if (waiting.size === 0) portal.clock.after(applyMs, flush);
    waiting.add(event);
  };
}
