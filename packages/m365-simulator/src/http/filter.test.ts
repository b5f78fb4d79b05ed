import { describe, expect, it } from 'vitest';
import { readFilter } from './filter.ts';

const entity = {
  displayName: "O'Neil",
  mail: 'o.neil@example.com',
  accountEnabled: true,
  count: 5,
  createdDateTime: '2026-03-01T10:00:00Z',
  department: null,
  tags: ['Team', 'News'],
  licences: [{ skuId: 'a' }, { skuId: 'b' }],
  from: { emailAddress: { address: 'x@example.com' } },
};

describe('a filter', () => {
  it.each([
    ["displayName eq 'O''Neil'", true],
    ["displayName eq 'o''neil'", true],
    ["startswith(mail,'o.') and endswith(mail,'.com')", true],
    ["contains(mail,'nobody')", false],
    ['accountEnabled eq true and count gt 4', true],
    ['count le 4 or not (count eq 5)', false],
    ['createdDateTime ge 2026-03-01T10:00:00Z', true],
    ['createdDateTime gt 2026-03-01T11:00:00+01:00', false],
    ['department eq null', true],
    ["tags/any(t:t eq 'Team')", true],
    ["resourceProvisioningOptions/Any(x:x eq 'Team')", false],
    ["licences/any(l:l/skuId eq 'b')", true],
    ['licences/$count ne 0', true],
    ["from/emailAddress/address eq 'x@example.com'", true],
  ])('%s is %s', (text, expected) => {
    expect(readFilter(text, 'directory')(entity)).toBe(expected);
  });

  it.each(["displayName eq 'a", 'displayName', 'count is 5', "name eq 'a' and", '1 eq 1', 'any(x:x)'])('refuses %s', (text) => {
    expect(() => readFilter(text, 'outlook')).toThrow(/Invalid filter/u);
  });
});
