import { mayDo } from '@holdfast/contract/actions';
import type { ImportReport } from '@holdfast/contract/imports';
import { jobBody, traitsOf, type JobBody, type SourceReference } from '@holdfast/contract/jobs';
import { outlookPasswordCheck } from '@holdfast/contract/outlook-password';
import { systemClock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { isUuid } from '@holdfast/foundation/ids';
import { isGraphError } from '@holdfast/m365';
import type { AccountId, SessionId } from '../access/actor.ts';
import type { Caller } from '../access/caller.ts';
import type { ImportPlace } from '../features/imports/index.ts';
import { createMembershipReader } from '../features/organisations/index.ts';
import { reasonText } from '../http/language.ts';
import { parsePart } from '../http/validation.ts';
import { withFeatures } from '../product/start-product.ts';
import { counted, INCOMPLETE, required, secretFrom, type Command, type CommandContext } from './command.ts';
import { everyTenant, requireTenant, requireTenantId, type TenantPlace } from './tenant-place.ts';

type Features = Parameters<Parameters<typeof withFeatures>[1]>[0];
type Given = Readonly<Record<string, string | undefined>>;

const LOOK_MS = 500;
const FAULTS_AT_A_TIME = 200;

const refused = (message: string): AppError => new AppError('admin.bad-option', { message });

/** The member in whose name it is done: what they may not do, the console does not do for them. The audit log says where it was done. */
async function callerAs({ access, ground: { database } }: Features, { scope }: TenantPlace, given: string): Promise<Caller> {
  const { recovery, invitations } = access.identity;
  const id = await recovery.accountOf(given);
  const held = id === undefined ? [] : await createMembershipReader(database, systemClock)(id, scope.realm);
  const membership = held.find(({ organisationId }) => organisationId === scope.organisationId);
  const account = id === undefined ? undefined : (await database.installation((tx) => invitations.accounts(tx, [id]))).get(id);
  if (!account || account.isDisabled || !membership) throw refused(`--as: ${given} is no member of the organisation of this tenant.`);
  const { email } = account;
  if (!mayDo(membership.role, traitsOf('import').actions.manage)) throw refused(`--as: the role of ${email} does not allow imports.`);
  return {
    actor: {
      accountId: account.id as AccountId,
      sessionId: account.id as SessionId,
      email,
      isEmailConfirmed: false,
      audience: scope.realm === 'staging' ? 'staging' : 'main',
      realm: scope.realm,
      memberships: [membership],
    },
    scope,
    request: { id: '', address: 'console' },
  };
}

/** Somebody of the directory, by the name that they sign in with. */
async function mailboxOf({ tenants }: Features, { scope, row }: TenantPlace, address: string): Promise<SourceReference> {
  return tenants.graph.use(scope, row.tenant_id, async (graph) => {
    try {
      const { id, displayName, mail, userPrincipalName } = await graph.directory.user({ userId: address });
      if (typeof id === 'string') return { id, name: displayName ?? address, address: mail ?? userPrincipalName ?? address };
    } catch (error) {
      if (!isGraphError(error, 'graph.item-gone', 'graph.resource-gone')) throw error;
    }
    throw refused(`--mailbox: Microsoft 365 knows nobody who signs in as ${address}.`);
  });
}

/** What a person would send from the page. */
async function jobOf(features: Features, place: TenantPlace, given: Given): Promise<JobBody> {
  const { mailbox: address, into = '', 'password-file': passwordFile } = given;
  const at = new Date(systemClock.nowMs()).toISOString();
  const body = {
    type: 'import',
    // Names of jobs have no colon.
    name: `Console ${at.replaceAll(':', '.')}`,
    locationId: required(given, 'location'),
    schedule: { mode: 'afterCreation' },
    import: {
      source: { kind: 'folder', path: required(given, 'path') },
      mapping: address === undefined ? [] : [{ folder: '', into, mailbox: await mailboxOf(features, place, address) }],
      dryRun: address === undefined,
      ...(passwordFile === undefined ? {} : { passwordCheck: outlookPasswordCheck(await secretFrom(passwordFile)) }),
    },
  };
  return parsePart(jobBody, body, { language: 'en', part: 'body' });
}

/** Waits for the run: a worker of the installation reads the files. */
async function reportOf({ imports }: Features, { scope }: TenantPlace, job: ImportPlace): Promise<ImportReport> {
  for (;;) {
    const report = await imports.reports.report(scope, job);
    if (report.isEnded) return report;
    await systemClock.sleep(LOOK_MS);
  }
}

async function tellFaults(print: CommandContext['print'], { imports }: Features, { scope }: TenantPlace, job: ImportPlace): Promise<void> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await imports.reports.faults(scope, job, { limit: FAULTS_AT_A_TIME, ...(cursor === undefined ? {} : { cursor }) });
    for (const { fileName, offset, code } of page.items)
      print(`not taken in: ${fileName}, at byte ${offset}: ${reasonText(code, 'en') ?? code}`);
    cursor = page.nextCursor;
  }
}

function tellFound(print: CommandContext['print'], { formats, folders, otherFolders }: ImportReport): void {
  for (const { format, files } of formats) print(`${format}: ${counted(files, 'file')}`);
  for (const { path: folder, messages, oldestAt, newestAt } of folders)
    print(`${folder === '' ? '(no folder)' : folder}: ${counted(messages, 'message')}, ${oldestAt} to ${newestAt}`);
  if (otherFolders > 0) print(`and ${counted(otherFolders, 'folder')} more`);
}

function tellCounts(print: CommandContext['print'], { seen, added, known, erasedBefore, failed, dryRun }: ImportReport): void {
  const taken = dryRun ? `${added} can be imported` : `${added} new, ${known} already there, ${erasedBefore} erased before`;
  print(`${counted(seen, 'message')} read: ${taken}, ${failed} not taken in.`);
  if (dryRun) print('Nothing is stored yet. Say whose archive it goes to with --mailbox ADDRESS.');
}

/** Fails with what ended a run before its time. */
async function requireWhole(
  { jobs }: Features,
  { scope }: TenantPlace,
  { runId, ...job }: ImportPlace & { readonly runId: string | null },
) {
  if (runId === null) return;
  const { status, message } = await jobs.jobs.status(scope, job, runId);
  if (status === 'finished') return;
  throw message === null
    ? new AppError('admin.import-ended', {
        message: 'The import was stopped before its end. What it has taken in stays; run it again for the rest.',
      })
    : new AppError(message);
}

/** Imports mail from files of the server into an archive, as a person would on the page. */
export const importMail: Command = {
  name: 'import',
  summary:
    'Imports mail from a file or folder of the server (PST, MSG, EML, mbox, zip) into an archive. Without --mailbox it says what the files hold and stores nothing.',
  argument: 'path',
  options: {
    path: 'The same as an option: within a folder that HOLDFAST_IMPORT_ROOTS allows',
    tenant: 'Id of the tenant; check-tenant lists them',
    location: 'Id of a location for archives; rebuild-catalog lists them',
    as: 'address of the member in whose name it is done',
    mailbox: 'name that the owner of the mailbox signs in with; it goes to their archive',
    into: 'folder that the others are put into',
    'password-file': 'file that holds the password of an Outlook data file',
  },
  async run(context, given) {
    const { print } = context;
    const tenantId = requireTenantId(required(given, 'tenant'));
    const email = required(given, 'as');
    if (!isUuid(required(given, 'location'))) throw refused('--location is not the id of a location.');
    required(given, 'path');
    return withFeatures(context, async (features) => {
      const place = requireTenant(await everyTenant(features.ground), tenantId);
      const caller = await callerAs(features, place, email);
      const { jobId, name } = await features.jobs.jobs.create(caller, tenantId, await jobOf(features, place, given));
      print(`The job "${name}" reads the files, and goes on when this command is ended.`);
      const job = { tenantId, jobId };
      const report = await reportOf(features, place, job);
      tellFound(print, report);
      await tellFaults(print, features, place, job);
      tellCounts(print, report);
      await requireWhole(features, place, { ...job, runId: report.runId });
      return report.failed > 0 ? INCOMPLETE : 0;
    });
  },
};
