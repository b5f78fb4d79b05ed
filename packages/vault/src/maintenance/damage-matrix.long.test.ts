import { describeDamageMatrix } from '../../testing/damage-matrix.ts';

describeDamageMatrix(Number.POSITIVE_INFINITY);
