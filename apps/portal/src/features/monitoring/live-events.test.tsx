import { act, screen, waitFor } from '@testing-library/react';
import { monitoring } from '@holdfast/contract/monitoring';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import { useQuery } from '@tanstack/react-query';
import { usePortal } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useStore } from '../../api/store.ts';
import type { FakeApi } from '../../testing/fake-api.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import type { RenderedPage } from '../../testing/render-page.tsx';
import { aRun, onePage, sampleIds } from '../../testing/samples.ts';
import { LiveEvents } from './live-events.tsx';

/** Somebody who shows runs, and whether they come by themselves. */
function Shown(): ReactElement {
  const options = { params: { tenantId: sampleIds.tenant }, query: {}, quiet: true, background: true } as const;
  useQuery(read(monitoring.list, options));
  return (
    <>
      <LiveEvents tenantId={sampleIds.tenant} />
      <p>{useStore(usePortal().live)}</p>
    </>
  );
}

interface Stream {
  /** Answers to the portal's asking for events so far. */
  readonly opened: () => number;
  readonly headers: () => Headers;
  /** The server tells of something. */
  tell(event: string): Promise<void>;
}

/** A fake server whose events come when the test tells them. */
function withEvents(api: FakeApi): { readonly api: FakeApi; readonly stream: Stream } {
  const open: { headers: Headers; controller: ReadableStreamDefaultController<Uint8Array> }[] = [];
  const fetching: typeof fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : input.toString();
    if (!address.includes('/events')) return await api.fetch(input, init);
    init?.signal?.throwIfAborted();
    const headers = new Headers(init?.headers);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        open.push({ headers, controller });
        init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
      },
    });
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
  };
  return {
    api: { ...api, fetch: fetching },
    stream: {
      opened: () => open.length,
      headers: () => open.at(-1)?.headers ?? new Headers(),
      tell: async (event) =>
        await act(async () => open.at(-1)?.controller.enqueue(new TextEncoder().encode(`event: ${event}\ndata: {}\n\n`))),
    },
  };
}

interface Watched extends RenderedPage {
  readonly stream: Stream;
  readonly reads: () => number;
  readonly pass: (ms: number) => Promise<void>;
}

/** A page that has caught up with what happened before it listened. */
async function watched(): Promise<Watched> {
  const server = aSignedInApi().on(monitoring.list, onePage([aRun({})]));
  const { api, stream } = withEvents(server);
  const page = await renderPage(<Shown />, { api });
  const pass = async (ms: number): Promise<void> => await act(async () => page.clock.advance(ms));
  const reads = (): number => server.calls.filter((call) => call.includes('/monitoring')).length;
  await waitFor(() => expect(page.portal.queries.isFetching()).toBe(0));
  await waitFor(() => expect(stream.opened()).toBeGreaterThan(0));
  await stream.tell('ping');
  const before = reads();
  await pass(2_000);
  await waitFor(() => expect(reads()).toBe(before + 1));
  const [sinceThen, lines] = [reads(), stream.opened()];
  const fromHere = { ...stream, opened: () => stream.opened() - lines };
  return { ...page, stream: fromHere, reads: () => reads() - sinceThen, pass };
}

test('however many events come, what they name is read again twice a second at most, and nothing else is', async () => {
  const { stream, reads, pass } = await watched();
  for (let event = 0; event < 20; event += 1) await stream.tell('run.progress');
  await pass(499);
  expect(reads()).toBe(0);
  await pass(1);
  await waitFor(() => expect(reads()).toBe(1));
  await stream.tell('tenants.changed');
  await pass(1_000);
  expect(reads()).toBe(1);
});

test('ten seconds of silence are told as reconnecting, and what was missed is read as soon as the line stands again', async () => {
  const { stream, reads, pass } = await watched();
  await pass(7_999);
  expect(screen.getByText('connected')).toBeTruthy();
  await pass(1);
  expect(await screen.findByText('reconnecting')).toBeTruthy();
  await pass(3_000);
  await waitFor(() => expect(stream.opened()).toBe(1));
  await pass(0);
  expect(await screen.findByText('connected')).toBeTruthy();
  await waitFor(() => expect(reads()).toBe(1));
});

test('a sign of life is enough to stay connected, and listening is no activity of the reader', async () => {
  const { stream, pass } = await watched();
  for (let round = 0; round < 5; round += 1) {
    await stream.tell('ping');
    await pass(9_999);
  }
  expect(screen.getByText('connected')).toBeTruthy();
  expect(stream.opened()).toBe(0);
  expect(stream.headers().get('X-Background-Poll')).not.toBeNull();
});

test('a session that must be completed first is not asked for events again', async () => {
  const server = aSignedInApi().on(monitoring.list, onePage([]));
  let asked = 0;
  const { api, stream } = withEvents(server);
  const fetching: typeof fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : input.toString();
    if (!address.includes('/events')) return await api.fetch(input, init);
    asked += 1;
    return Response.json({ status: 403, code: 'identity.second-factor-required' }, { status: 403 });
  };
  const page = await renderPage(<Shown />, { api: { ...api, fetch: fetching } });
  await waitFor(() => expect(asked).toBeGreaterThan(0));
  await waitFor(() => expect(page.portal.queries.isFetching()).toBe(0));
  const before = asked;
  for (let turn = 0; turn < 5; turn += 1) await act(async () => page.clock.advance(3_000));
  expect([asked, stream.opened()]).toEqual([before, 0]);
});
