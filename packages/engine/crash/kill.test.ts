import { it } from 'vitest';
import { proveKills } from '../testing/prove-kills.ts';

it('a worker that is killed again and again loses nothing and leaves nothing half done', () => proveKills(15, 77), 120_000);
