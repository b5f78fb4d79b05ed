import { describeDamageMatrix } from '../../testing/damage-matrix.ts';

describeDamageMatrix({ rounds: 20, sample: Number.POSITIVE_INFINITY });
