import { isUuid } from '@holdfast/foundation/ids';
import { expect, test } from 'vitest';
import { monthOf, reportIdOf } from './report-id.ts';

const tenantId = '01890a5d-ac96-774b-bcce-b302099a8057';
const first = new Date('2026-03-17T12:00:00Z');

test('the report of a month has one id for ever, and it is a UUID', () => {
  const id = reportIdOf(tenantId, new Date('2026-11-01T00:00:00Z'));
  expect(id).toBe(reportIdOf(tenantId, new Date('2026-11-01T00:00:00Z')));
  expect(isUuid(id)).toBe(true);
  expect(id).not.toBe(reportIdOf(tenantId, new Date('2026-12-01T00:00:00Z')));
});

test('the month of an id is found again', () => {
  const month = new Date('2031-02-01T00:00:00Z');
  expect(monthOf(tenantId, reportIdOf(tenantId, month), first)).toEqual(month);
});

test('an id of another tenant, or of a month before the first run, names nothing', () => {
  const other = '01890a5d-ac96-774b-bcce-b302099a8058';
  expect(monthOf(tenantId, reportIdOf(other, new Date('2026-11-01T00:00:00Z')), first)).toBeUndefined();
  expect(monthOf(tenantId, reportIdOf(tenantId, new Date('2026-02-01T00:00:00Z')), first)).toBeUndefined();
  expect(monthOf(tenantId, reportIdOf(tenantId, first), null)).toBeUndefined();
});
