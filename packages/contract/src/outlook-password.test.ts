import { expect, test } from 'vitest';
import { outlookPasswordCheck } from './outlook-password.ts';

test('a password is known by the checksum that Outlook keeps, and none has none', () => {
  // The checksum of zip files over the same letters begins and ends turned over; this one does neither.
  expect(outlookPasswordCheck('')).toBe(0);
  expect(outlookPasswordCheck('123456789') >>> 0).toBe(0x2d_fd_2d_88);
  expect(outlookPasswordCheck('secret')).not.toBe(outlookPasswordCheck('Secret'));
});
