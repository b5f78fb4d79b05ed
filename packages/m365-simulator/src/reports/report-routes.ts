import { textOf } from '../values/json.ts';
import { createHash } from 'node:crypto';
import type { Person } from '../state/directory.ts';
import { badRequest, notFound } from '../http/failure.ts';
import { bytes, ok, redirect, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { openMailbox } from '../mail/mailbox.ts';
import type { Tenant } from '../state/tenant.ts';

const PERIODS = ['D7', 'D30', 'D90', 'D180'];
const DAY_MS = 86_400_000;
const URL_SECONDS = 300;
const TYPICAL_BYTES = 28_000;

type Row = readonly (string | number)[];

interface Table {
  readonly columns: readonly string[];
  readonly rows: (tenant: Tenant) => Row[];
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Names are hashed when the administrator wants them concealed, as they are by default in real tenants. */
function shown(tenant: Tenant, name: string): string {
  return tenant.switches.displayConcealedNames ? createHash('md5').update(name).digest('hex').toUpperCase() : name;
}

function mailboxRow(tenant: Tenant, person: Person): Row {
  const mailbox = openMailbox(tenant, person);
  let items = 0;
  let deleted = 0;
  for (const folder of mailbox.state.folders.values()) {
    const total = folder.generated + (mailbox.state.counts.get(folder.number)?.total ?? 0);
    if (folder.wellKnownName?.startsWith('recoverable') === true) deleted += total;
    else items += total;
  }
  const used = items * TYPICAL_BYTES;
  const archive = person.kind === 'member' && Number.parseInt(person.id.slice(0, 2), 16) % 8 === 0;
  const name = shown(tenant, person.userPrincipalName);
  return [
    name,
    shown(tenant, person.displayName),
    'False',
    '',
    dayOf(person.createdMs),
    dayOf(tenant.epochMs),
    items,
    used,
    99 * 2 ** 30,
    99.5 * 2 ** 30,
    100 * 2 ** 30,
    deleted,
    deleted * TYPICAL_BYTES,
    30 * 2 ** 30,
    archive ? 'True' : 'False',
  ];
}

const tables: Readonly<Record<string, Table>> = {
  getMailboxUsageDetail: {
    columns: [
      'User Principal Name',
      'Display Name',
      'Is Deleted',
      'Deleted Date',
      'Created Date',
      'Last Activity Date',
      'Item Count',
      'Storage Used (Byte)',
      'Issue Warning Quota (Byte)',
      'Prohibit Send Quota (Byte)',
      'Prohibit Send/Receive Quota (Byte)',
      'Deleted Item Count',
      'Deleted Item Size (Byte)',
      'Deleted Item Quota (Byte)',
      'Has Archive',
    ],
    rows: (tenant) =>
      tenant.directory
        .users()
        .filter((person) => person.hasMailbox)
        .map((person) => mailboxRow(tenant, person)),
  },
  getOneDriveUsageAccountDetail: {
    columns: [
      'Site Id',
      'Site URL',
      'Owner Display Name',
      'Is Deleted',
      'Last Activity Date',
      'File Count',
      'Active File Count',
      'Storage Used (Byte)',
      'Storage Allocated (Byte)',
      'Owner Principal Name',
    ],
    rows: (tenant) =>
      tenant.directory
        .users()
        .filter((person) => person.hasDrive)
        .map((person) => {
          const { filesPerUser, medianBytes } = tenant.recipe.drives;
          const name = shown(tenant, person.userPrincipalName);
          return [
            '',
            '',
            shown(tenant, person.displayName),
            'False',
            dayOf(tenant.epochMs),
            filesPerUser,
            Math.floor(filesPerUser / 5),
            filesPerUser * medianBytes,
            2 ** 40,
            name,
          ];
        }),
  },
  getSharePointSiteUsageDetail: {
    columns: [
      'Site Id',
      'Site URL',
      'Owner Display Name',
      'Is Deleted',
      'Last Activity Date',
      'File Count',
      'Active File Count',
      'Page View Count',
      'Visited Page Count',
      'Storage Used (Byte)',
      'Storage Allocated (Byte)',
      'Root Web Template',
      'Owner Principal Name',
    ],
    rows: (tenant) =>
      tenant.recipe.sites.map((site) => {
        const owner = tenant.directory.generated()[0];
        return [
          '',
          '',
          shown(tenant, owner?.displayName ?? ''),
          'False',
          dayOf(tenant.epochMs),
          site.files,
          Math.floor(site.files / 5),
          40,
          12,
          site.files * tenant.recipe.drives.medianBytes,
          25 * 2 ** 40,
          'Team Site',
          shown(tenant, owner?.userPrincipalName ?? ''),
        ];
      }),
  },
  getTeamsTeamActivityDetail: {
    columns: [
      'Team Name',
      'Team Id',
      'Team Type',
      'Last Activity Date',
      'Active Users',
      'Active Channels',
      'Guests',
      'Reactions',
      'Meetings Organized',
      'Post Messages',
      'Reply Messages',
      'Channel Messages',
      'Urgent Messages',
      'Mentions',
      'Active Shared Channels',
      'Active External Users',
    ],
    rows: (tenant) =>
      tenant.directory
        .groups()
        .filter((group) => group.isTeam)
        .map((group) => {
          const team = tenant.recipe.teams.find((entry) => entry.displayName === group.displayName);
          const messages = (team?.channels ?? []).reduce((sum, channel) => sum + channel.messages, 0);
          return [
            shown(tenant, group.displayName),
            group.id,
            group.visibility,
            dayOf(tenant.epochMs),
            group.memberIds.length,
            team?.channels.length ?? 1,
            0,
            4,
            2,
            Math.floor(messages / 2),
            Math.ceil(messages / 2),
            messages,
            0,
            3,
            0,
            0,
          ];
        }),
  },
};

function cell(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function csv(tenant: Tenant, table: Table, period: string): string {
  const refreshed = dayOf(tenant.clock.nowMs() - 2 * DAY_MS);
  const lines = [['Report Refresh Date', ...table.columns, 'Report Period'].join(',')];
  for (const row of table.rows(tenant)) lines.push([refreshed, ...row.map((value) => cell(value)), period.slice(1)].join(','));
  return `\uFEFF${lines.join('\r\n')}\r\n`;
}

function report(context: Context, name: string): Reply {
  const [period = ''] = context.params;
  if (!PERIODS.includes(period)) throw badRequest('reports', `The period ${period} is not valid; valid ones are ${PERIODS.join(', ')}.`);
  const path = `/data/v1.0/download/${name}`;
  const claims = { report: name, period };
  return redirect(context.links.signed({ host: 'reports', hostName: 'reports.office.com', path, claims, livesSeconds: URL_SECONDS }));
}

function download(context: Context): Reply {
  const { report: name, period } = context.claims;
  const table = typeof name === 'string' ? tables[name] : undefined;
  if (!table || typeof period !== 'string') throw notFound('reports');
  return bytes(Buffer.from(csv(context.tenant, table, period)), 'application/octet-stream', {
    'Content-Disposition': `attachment; filename="${textOf(name)}.csv"`,
  });
}

/** Usage reports: a redirect to a file of CSV that lives for minutes. */
export const reportRoutes: readonly RouteEntry[] = [
  ...Object.keys(tables).map((name): RouteEntry => ({
    method: 'GET',
    path: `/reports/${name}(period={value})`,
    service: 'reports',
    handler: (context) => report(context, name),
  })),
  { method: 'GET', path: '/data/v1.0/download/{value}', host: 'reports', service: 'reports', handler: download },
  {
    method: 'GET',
    path: '/admin/reportSettings',
    service: 'reports',
    handler: (context) =>
      ok({
        '@odata.context': context.links.context('admin/reportSettings/$entity'),
        displayConcealedNames: context.tenant.switches.displayConcealedNames,
      }),
  },
];
