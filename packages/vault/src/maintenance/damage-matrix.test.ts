import { describeDamageMatrix } from '../../testing/damage-matrix.ts';

describeDamageMatrix({ rounds: 10, sample: 8 });
