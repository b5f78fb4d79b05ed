import { it } from 'vitest';
import { proveKills } from '../testing/prove-kills.ts';

it('five hundred killed workers lose nothing', () => proveKills(500, 4_711), 3_600_000);
