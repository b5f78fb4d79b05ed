import { expect, test } from 'vitest';
import type { z } from 'zod';
import { backupSettings, defaultBackupSettings } from './configuration.ts';
import { accounts } from './identity.ts';
import { auth } from './legacy/auth.ts';
import { locationBody, locationUpdateBody } from './locations.ts';
import { invitationBody, organisations } from './members.ts';
import { tenantBody, tenantUpdateBody } from './tenants.ts';
import { workerBody } from './workers.ts';

const long = 'a'.repeat(60_000);
const filesystem = { kind: 'filesystem', name: 'Store', path: '/vault' };
const s3 = { kind: 's3', name: 'Store', region: 'eu', bucket: 'backups', accessKeyId: 'key', secretAccessKey: 'secret' };
const tenant = {
  name: 'Main',
  clientId: '11111111-2222-4333-8444-555555555555',
  microsoftTenantId: '11111111-2222-4333-8444-555555555555',
};

/** What somebody may type into the forms of these schemas: nothing, too much, and what is none of it. */
const typed: readonly (readonly [string, z.ZodType, Readonly<Record<string, unknown>>, readonly string[]])[] = [
  ['profile', accounts.updateAccount.body, { language: 'en' }, ['firstName', 'lastName', 'phoneNumber']],
  ['first owner', accounts.bootstrap.body, { token: 't' }, ['email', 'password', 'organisation']],
  ['forgotten', auth.forgotPassword.body, {}, ['email']],
  ['reset', auth.resetPassword.body, {}, ['password']],
  ['code', auth.verifyCode.body, { challengeId: 'c' }, ['code']],
  ['invitation', invitationBody, { role: 'reader' }, ['email', 'firstName', 'lastName', 'phoneNumber']],
  ['organisation', organisations.update.body, {}, ['name', 'timeZone']],
  ['worker', workerBody, {}, ['name', 'ip', 'indexIp']],
  ['tenant', tenantBody, { ...tenant, clientSecret: 's' }, ['name', 'displayName', 'clientId', 'microsoftTenantId', 'objectId', 'appId']],
  ['tenant', tenantBody, tenant, ['redirectUri', 'clientSecret', 'certificate', 'thumbprint']],
  ['edited tenant', tenantUpdateBody, {}, ['name', 'clientSecret', 'certificate', 'thumbprint']],
  ['folder', locationBody, filesystem, ['name', 'path']],
  ['bucket', locationBody, s3, ['endpoint', 'region', 'bucket', 'prefix', 'accessKeyId', 'secretAccessKey']],
  ['edited location', locationUpdateBody, filesystem, ['name', 'accessKeyId', 'secretAccessKey']],
];
const cases = typed.flatMap(([form, schema, rest, fields]) => fields.map((field) => [form, field, schema, rest] as const));

test.each(cases)('%s: whatever is wrong with %s is said in words of ours', (_form, field, schema, rest) => {
  const messages = ['', long, '§§'].flatMap((value) => {
    const { error } = schema.safeParse({ ...rest, [field]: value });
    return (error?.issues ?? []).filter((issue) => issue.path[0] === field).map((issue) => issue.message);
  });
  expect(messages.length).toBeGreaterThan(0);
  for (const message of messages) expect(message).toMatch(/^(validation|rules)\.\w+$/);
});

test.each([Number.NaN, 0, 1.5, 501])('%s is no number of versions', (versions) => {
  const settings = { ...defaultBackupSettings, onedrive: { ...defaultBackupSettings.onedrive, versions } };
  expect(backupSettings.safeParse(settings).error?.issues.map((issue) => issue.message)).toEqual(['rules.versions']);
});

test.each([Number.NaN, -1, 1.5, 36_501])('%s is no number of days', (value) => {
  const messages = [{ retainDays: value }, { immutability: { mode: 'none', days: value } }].flatMap(
    (wrong) => locationBody.safeParse({ ...filesystem, ...wrong }).error?.issues.map((issue) => issue.message) ?? [],
  );
  expect(messages).toEqual(['rules.days', 'rules.days']);
});
