import { testDatabase } from '@holdfast/database/testing/test-database';
import { test } from 'vitest';
import { proveReceiverKills } from './testing/prove-receiver-kills.ts';

const testing = testDatabase(import.meta.url);

test('A6: a worker killed under load has every mail that it answered with 250, once', () => proveReceiverKills(testing, 3), 600_000);
