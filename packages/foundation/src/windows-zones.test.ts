import { describe, expect, it } from 'vitest';
import { ianaZone } from './windows-zones.ts';

describe('the IANA name of a time zone', () => {
  it.each([
    ['Belarus Standard Time', 'Europe/Minsk'],
    ['Kaliningrad Standard Time', 'Europe/Kaliningrad'],
    ['Ulaanbaatar Standard Time', 'Asia/Ulaanbaatar'],
    ['Ekaterinburg Standard Time', 'Asia/Yekaterinburg'],
    ['Jordan Standard Time', 'Asia/Amman'],
    ['Lord Howe Standard Time', 'Australia/Lord_Howe'],
    ['Pacific Standard Time (Mexico)', 'America/Tijuana'],
    ['UTC', 'UTC'],
    ['Europe/Berlin', 'Europe/Berlin'],
  ])('of %s is %s', (windows, iana) => {
    expect(ianaZone(windows)).toBe(iana);
  });

  it('is not guessed for a customised zone, an offset or an inherited property', () => {
    for (const name of ['Customized Time Zone', 'tzone://Microsoft/Custom', '+02:00', '', 'toString'])
      expect(ianaZone(name)).toBeUndefined();
  });
});
