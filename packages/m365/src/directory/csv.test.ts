import { describe, expect, it } from 'vitest';
import { readReport } from './csv.ts';
import { countLicences } from './licences.ts';

describe('a report', () => {
  it('is read by its headings, without the mark in front', () => {
    const text =
      '\uFEFFReport Refresh Date,User Principal Name,Has Archive\r\n2026-01-31,ada@contoso.com,True\r\n2026-01-31,"Lovelace, ""A""\nB",False\r\n';
    expect(readReport(text)).toEqual([
      { 'Report Refresh Date': '2026-01-31', 'User Principal Name': 'ada@contoso.com', 'Has Archive': 'True' },
      { 'Report Refresh Date': '2026-01-31', 'User Principal Name': 'Lovelace, "A"\nB', 'Has Archive': 'False' },
    ]);
  });
  it('without rows, or without anything, is empty', () => {
    expect(readReport('A,B\r\n')).toEqual([]);
    expect(readReport('')).toEqual([]);
  });
});

describe('countLicences', () => {
  it('counts what is enabled for users', () => {
    expect(
      countLicences([
        { appliesTo: 'User', prepaidUnits: { enabled: 20 } },
        { appliesTo: 'Company', prepaidUnits: { enabled: 1 } },
        { prepaidUnits: { enabled: 5 } },
      ]),
    ).toBe(25);
  });
});
