import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { archive } from '@holdfast/contract/archive';
import { accounts } from '@holdfast/contract/identity';
import { dashboard } from '@holdfast/contract/dashboard';
import type { WorkloadFigures } from '@holdfast/contract/dashboard';
import { discovery } from '@holdfast/contract/discovery';
import { jobs } from '@holdfast/contract/jobs';
import { locations } from '@holdfast/contract/locations';
import { organisations } from '@holdfast/contract/members';
import { microsoftSignIn } from '@holdfast/contract/microsoft-sign-in';
import { monitoring } from '@holdfast/contract/monitoring';
import { people, type Protectable } from '@holdfast/contract/people';
import { periodReports } from '@holdfast/contract/period-reports';
import { reporting, type Evidence } from '@holdfast/contract/reporting';
import { tenants } from '@holdfast/contract/tenants';
import type { Workload } from '@holdfast/contract/values';
import { selection } from '@holdfast/contract/workers';
import { composeReport } from '../../apps/server/src/features/period-reports/compose-report.ts';
import { sampleFigures, sampleReport } from '../../apps/server/src/features/period-reports/testing/sample-report.ts';
import { anArchive, anArchivedMailbox, anArchivedMailboxInDetail } from '../../apps/portal/src/testing/archive-samples.ts';
import { createFakeApi } from '../../apps/portal/src/testing/fake-api.ts';
import {
  aChoice,
  aJob,
  aLocation,
  aNode,
  anOverview,
  aPoint,
  aRun,
  aRunDetails,
  aSource,
  aTenant,
  aWorker,
  now,
  onePage,
  sampleIds,
} from '../../apps/portal/src/testing/samples.ts';

const workloads = ['exchange', 'onedrive', 'sharepoint', 'teams'] as const;
const idOf = (number: number): string => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** Thirty days with a bad night now and then, the same at every look. */
function figuresOf(workload: Workload, at: number): WorkloadFigures {
  const [figures] = anOverview().workloads;
  if (figures === undefined) throw new Error('The sample overview has no workload.');
  const days = Array.from({ length: 30 }, (_, day) => ({
    date: new Date(Date.parse(now) - (29 - day) * 86_400_000).toISOString().slice(0, 10),
    successful: (day + at) % 9 === 0 ? 0 : 1,
    defective: (day + at) % 9 === 0 && day % 2 === 0 ? 1 : 0,
    failed: (day + at) % 9 === 0 && day % 2 === 1 ? 1 : 0,
    skipped: (day + at) % 13 === 0 ? 1 : 0,
    items: 40 + ((day * 17 + at * 5) % 60),
    bytes: (20 + ((day * 7 + at * 11) % 31)) * 1_048_576,
  }));
  return { ...figures, workload, protected: 25 - at * 4, unprotected: at === 1 ? 2 : 0, days };
}

const names = ['Adele Vance', 'Bodo Müller', 'Grace Harris', 'Günther Dietrich', 'Ines Müller', 'Zoe Fletcher'];
const addressOf = (name: string): string => `${name.toLowerCase().replace('ü', 'ue').replace(' ', '.')}@contoso.example`;

const someJobs = [
  aJob({ name: 'Mail every night' }),
  aJob({ jobId: idOf(20), name: 'OneDrive every night', workload: 'onedrive', status: 'defective' }),
  aJob({ jobId: idOf(21), name: 'Sites every night', workload: 'sharepoint', status: 'running', progress: 42 }),
  aJob({ jobId: idOf(22), name: 'Teams every hour', workload: 'teams', schedule: { mode: 'interval', everyMinutes: 60 } }),
  aJob({
    jobId: idOf(23),
    name: 'Former staff',
    sourceCount: 3,
    status: 'disabled',
    schedule: { mode: 'disabled' },
    nextRun: null,
    lastRun: null,
  }),
];

const proof = { at: '2026-11-20T21:00:00.000Z', locationName: 'Main vault', checked: 48_211, checkedBytes: 9_663_676_416 };

/** A verification that went wrong and a drill that left everything behind that it can leave. */
const someEvidence: Evidence[] = [
  {
    ...proof,
    runId: idOf(41),
    kind: 'verify',
    state: 'deviation',
    deviations: 1_204,
    findings: [
      { code: 'vault.journal-older', count: 2 },
      { code: 'vault.items-lost', count: 1_202 },
    ],
    remaining: 0,
    kept: 0,
    leftOut: 0,
  },
  { ...proof, runId: idOf(42), kind: 'drill', state: 'verified', deviations: 0, findings: [], remaining: 31, kept: 1_447, leftOut: 53 },
];

const someRuns = [
  aRun({
    reportId: idOf(31),
    jobName: 'Sites every night',
    workload: 'sharepoint',
    status: 'running',
    stage: 'reading',
    progress: 42,
    processed: 2_611,
    total: 6_217,
    itemsPerSecond: 31,
    bytesPerSecond: 2_097_152,
    remainingSeconds: 116,
    startedAt: '2026-11-21T09:26:00.000Z',
    endedAt: null,
  }),
  aRun({
    reportId: idOf(32),
    jobName: 'OneDrive every night',
    workload: 'onedrive',
    status: 'defective',
    errors: 12,
    processed: 4_310,
    total: 4_310,
  }),
  aRun({ jobName: 'Mail every night' }),
  aRun({
    reportId: idOf(33),
    jobName: 'Teams every hour',
    workload: 'teams',
    status: 'failed',
    code: 'graph.unauthorised',
    processed: 0,
    bytes: 0,
    errors: 1,
  }),
];

const someTeams = ['Board', 'Sales', 'Summer party 2024'].map((name, at) => ({
  resourceId: idOf(70 + at),
  sourceId: idOf(75 + at),
  locationId: sampleIds.location,
  name,
  address: `${name.toLowerCase().replaceAll(' ', '')}@contoso.example`,
  lastActivityAt: at === 2 ? null : `2026-11-${20 - at}T10:00:00.000Z`,
}));

const someNodes = [
  aNode({ nodeId: 'inbox', name: 'Inbox', kind: 'mailFolder', isContainer: true, sizeBytes: 0 }),
  aNode({ nodeId: 'sent', name: 'Sent items', kind: 'mailFolder', isContainer: true, sizeBytes: 0 }),
  ...['Minutes of the board', 'Offer 2026-118', 'Re: Delivery in week 48', 'Invitation to the audit'].map((name, at) =>
    aNode({ nodeId: `message-${at}`, name, author: names[at] ?? null, sizeBytes: (at + 1) * 37_411 }),
  ),
];

const someDates = Array.from({ length: 30 }, (_, day) => new Date(Date.parse(now) - (29 - day) * 86_400_000).toISOString().slice(0, 10));

/** A bad night here and there, and somebody who came later. */
function daysOfSome(of: readonly string[]) {
  const stateOf = (at: number, day: number) => {
    if (at === 2 && day < 12) return 'none' as const;
    if (at === 0 && day > 27) return 'failed' as const;
    return (day * 3 + at * 7) % 31 === 0 ? ('errors' as const) : ('safe' as const);
  };
  const rows = of.map((name, at) => ({ resourceId: idOf(80 + at), name, days: someDates.map((_, day) => stateOf(at, day)) }));
  return { dates: someDates, rows, total: rows.length };
}

function someGrowth() {
  const days = someDates.map((date, day) => ({ date, sourceBytes: (40 + day) * 2 ** 30, storedBytes: (12 + day / 2) * 2 ** 30 }));
  const place = {
    locationId: sampleIds.location,
    locationName: 'Vault on this machine',
    storedBytes: 27 * 2 ** 30,
    freeBytes: 220 * 2 ** 30,
  };
  return { days, locations: [{ ...place, fullInDays: 425 }] };
}

function someEntries(): Protectable[] {
  return names.map((name, at) => {
    const state = at === 0 ? ('partly' as const) : ('protected' as const);
    const part = { graphId: idOf(95), reason: null, newestPointAt: '2026-11-21T02:42:00.000Z', items: 1_204, bytes: 52_428_800 };
    return {
      resourceId: idOf(80 + at),
      kind: 'person',
      name,
      address: addressOf(name),
      state,
      parts: [
        { ...part, resourceId: idOf(80 + at), kind: 'mailbox', workload: 'exchange', state },
        { ...part, resourceId: idOf(60 + at), kind: 'drive', workload: 'onedrive', state: 'protected' },
      ],
      newestPointAt: '2026-11-21T02:42:00.000Z',
      items: 2_408,
      bytes: 104_857_600 - at * 6_000_000,
      deletedAt: null,
      isHeld: at === 1,
    };
  });
}

/** A server that always says the same: what it answers is held to the contract by the compiler. */
function answers() {
  const account = {
    userId: sampleIds.user,
    email: 'admin@contoso.example',
    isEmailConfirmed: true,
    isVouched: false,
    firstName: 'Ada',
    lastName: 'Admin',
    phoneNumber: '',
    language: 'en' as const,
    summaryMails: true,
    isTwoFactorEnabled: false,
    organisationId: sampleIds.organisation,
    role: 'owner' as const,
    memberships: [{ organisationId: sampleIds.organisation, organisationName: 'Contoso', role: 'owner' as const }],
    withheld: [],
  };
  const [exchange, onedrive, sharepoint, teams] = workloads.map(figuresOf);
  if (!exchange || !onedrive || !sharepoint || !teams) throw new Error('There are four workloads.');
  const unused = { days30: 1, weeks8: 1, months6: 0 };
  const sources = names.map((name, at) =>
    aSource({
      sourceId: idOf(40 + at),
      resourceId: idOf(80 + at),
      name,
      address: addressOf(name),
      items: 1_204 - at * 131,
      bytes: 52_428_800 - at * 6_000_000,
    }),
  );
  const largest = sources.map(({ resourceId, sourceId, name, address, bytes, items: messages }, at) => ({
    resourceId,
    sourceId,
    name,
    address,
    bytes,
    messages,
    locationId: sampleIds.location,
    attachments: 340 - at * 41,
  }));
  const archived = largest.map(({ resourceId, name, address: email, bytes: size, messages, attachments }, at) =>
    anArchivedMailbox({
      mailboxId: resourceId,
      name,
      email,
      size,
      messages,
      attachments,
      isHeld: at === 1,
      coverage: at === 4 ? 'partly' : 'complete',
    }),
  );
  return createFakeApi()
    .on(archive.mailbox, anArchivedMailboxInDetail())
    .on(archive.mailboxes, onePage(archived))
    .on(archive.top, { items: archived })
    .on(archive.dashboard, anArchive({ top: archived }))
    .on(accounts.account, account)
    .on(microsoftSignIn.offer, { isOffered: false })
    .on(tenants.list, { items: [aTenant({ microsoft: { state: 'unknown', code: null, at: null } })] })
    .on(organisations.list, { items: [] })
    .on(locations.list, { items: [aLocation(), aLocation({ locationId: idOf(50), name: 'Second house', inUse: false, restorePoints: 0 })] })
    .on(
      dashboard.overview,
      anOverview({ workloads: [exchange, onedrive, sharepoint, teams], recentRuns: someRuns, nextRuns: someJobs.slice(0, 4) }),
    )
    .on(dashboard.attention, { items: [] })
    .on(people.days, ({ query }) => daysOfSome(query.get('of') === 'person' ? names : ['Board', 'Sales']))
    .on(dashboard.growth, someGrowth())
    .on(dashboard.readiness, {
      items: workloads.map((workload, at) => ({
        workload,
        newestPointAt: '2026-11-21T02:42:00.000Z',
        drill: at === 3 ? null : { runId: idOf(91), at: '2026-11-09T08:00:00.000Z', state: 'verified' as const, checked: 20 },
        verification: { runId: idOf(92), at: '2026-11-20T08:00:00.000Z', state: 'verified' as const, checked: 4_310 },
      })),
    })
    .on(people.list, onePage(someEntries()))
    .on(selection.client, { client: null, worker: aWorker() })
    .on(dashboard.backup, { workloads: [exchange, onedrive, sharepoint], nextRuns: someJobs.slice(0, 4) })
    .on(dashboard.teams, { ...teams, teams: 3, channels: 9, messages: 1_893, files: 61, chats: 0, unused })
    .on(dashboard.teamActivity, onePage(someTeams))
    .on(dashboard.topMailboxes, { items: largest })
    .on(selection.workerChecks, { ip: '10.0.0.11', items: [{ at: '2026-11-21T09:00:00.000Z', reachable: 30, missed: 0, load: 0.18 }] })
    .on(jobs.list, onePage(someJobs))
    .on(monitoring.list, ({ query }) => onePage(query.get('type') === 'restore' ? [] : someRuns))
    .on(monitoring.get, aRunDetails({ status: 'defective', errors: 2, processed: 4_310, total: 4_310 }))
    .on(
      monitoring.problems,
      onePage([
        {
          accountId: idOf(60),
          accountName: 'Grace Harris',
          path: 'Inbox/Offers/Offer 2026-118',
          kind: 'message',
          outcome: 'recorded',
          code: 'unreadable',
          tried: ['MIME', 'JSON'],
          advice: 'checkSource',
          requestId: null,
        },
      ]),
    )
    .on(periodReports.get, ({ query }) => ({
      report: sampleReport,
      figures: sampleFigures,
      paper: composeReport(sampleReport, sampleFigures, query.get('language') === 'de' ? 'de' : 'en'),
    }))
    .on(reporting.runs, onePage(someRuns.slice(1)))
    .on(reporting.evidence, { items: someEvidence })
    .on(discovery.sources, onePage(sources))
    .on(discovery.source, aSource())
    .on(discovery.points, { items: [aPoint({ sequence: 2 }), aPoint({ sequence: 1, at: '2026-11-19T21:00:00.000Z' })] })
    .on(discovery.items, ({ params }) => ({
      ...onePage(params['nodeId'] === 'root' ? someNodes : []),
      point: aPoint({ sequence: 2 }),
      trail: [],
    }));
}

/** What a sign-in has left in the browser, as long as nobody asks a real server for more. */
function signedInScript(): string {
  const user = { token: 'legacy-token', user: { id: sampleIds.user, email: 'admin@contoso.example', role: 'owner' } };
  const cookies = ['main', 'staging', 'legacy'].map((audience) => {
    const value = encodeURIComponent(JSON.stringify({ token: `${audience}-token`, expiresAt: '2099-01-01T00:00:00.000Z' }));
    return `document.cookie = 'holdfast.${audience}=${value}; Path=/';`;
  });
  const keep = (key: string, value: unknown): string => `localStorage.setItem('${key}', ${JSON.stringify(JSON.stringify(value))});`;
  return `if (location.protocol.startsWith('http')) { ${keep('user', user)} ${keep('worker', aChoice())} ${cookies.join(' ')} }`;
}

/** The time of all pictures. */
export async function standStill(page: Page): Promise<void> {
  await page.clock.setFixedTime(now);
}

/** Signs the next pages of a visitor in. */
export async function signInStill(page: Page): Promise<void> {
  await page.context().addInitScript({ content: signedInScript() });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

/** Headers that tell of the connection or of the packing, which are not the same here. */
const own = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-encoding', 'content-length']);

/**
 * The portal as the product delivers it, over answers that never change: pages and scripts come from the product, what they
 * ask for is answered here. Pictures of it can be compared.
 */
export async function serveStillLife(product: string): Promise<{ readonly address: string; readonly close: () => void }> {
  const api = answers();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', product);
    // The stream of events has nothing to tell but that it is there: a page that hears nothing for ten seconds says so.
    if (pathname.endsWith('/events')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      const alive = setInterval(() => response.write(': here\n\n'), 1_000);
      response.once('close', () => clearInterval(alive));
      return;
    }
    const answer = async (): Promise<Response> => {
      if (!/^\/(?:apollo|apollo-beta|api)\//.test(pathname)) return await fetch(new URL(request.url ?? '/', product));
      const [method, body] = [request.method ?? 'GET', await bodyOf(request)];
      return await api.fetch(new URL(request.url ?? '/', product), { method, ...(body === '' ? {} : { body }) });
    };
    const send = async (answered: Response): Promise<void> => {
      response.writeHead(answered.status, Object.fromEntries([...answered.headers].filter(([name]) => !own.has(name))));
      response.end(Buffer.from(await answered.arrayBuffer()));
    };
    void answer().then(send);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
